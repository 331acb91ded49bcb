# proflog replay: a program of its own, as it exports what modules import from Mono.
if HAVE_LIBFFI
pkglibexec_PROGRAMS += proflog-replay
endif
proflog_replay_SOURCES = $(replay_sources) $(host_sources) $(memory_sources)
proflog_replay_CPPFLAGS = $(AM_CPPFLAGS) -DG_LOG_DOMAIN=\"proflog\"
proflog_replay_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS) $(LIBFFI_CFLAGS)
proflog_replay_LDFLAGS = $(AM_LDFLAGS) -Wl,--export-dynamic-symbol='mono_*'
proflog_replay_LDADD = libproflog-command.la $(GLIB_LIBS) $(LIBFFI_LIBS) -ldl -lpthread
