# proflog replay: a program of its own, as it exports what modules import from Mono.
pkglibexec_PROGRAMS += proflog-replay
proflog_replay_SOURCES = \
	replay/replay.h \
	replay/replay-fire.c \
	replay/replay-log.c \
	replay/replay-main.c \
	replay/replay-names.c \
	replay/replay-objects.c \
	replay/replay-records.c \
	replay/replay-report.c \
	replay/replay-threads.c \
	$(host_sources)
proflog_replay_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE -DG_LOG_DOMAIN=\"proflog\"
proflog_replay_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS) $(LIBFFI_CFLAGS)
proflog_replay_LDFLAGS = $(AM_LDFLAGS) -Wl,--export-dynamic-symbol='mono_*'
proflog_replay_LDADD = libproflog-command.la $(GLIB_LIBS) $(LIBFFI_LIBS) -ldl -lpthread
