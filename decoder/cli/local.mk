# What the programs of the command share.
noinst_LTLIBRARIES += libproflog-command.la
libproflog_command_la_SOURCES = \
	decoder/cli/cli.h \
	decoder/cli/commands.def \
	decoder/cli/control-client.c \
	decoder/cli/control-client.h \
	decoder/cli/live-process.c \
	decoder/cli/live-process.h \
	decoder/cli/live-reading.c \
	decoder/cli/live-reading.h \
	decoder/cli/log-command.c \
	decoder/cli/log-command.h \
	decoder/cli/log-reading.c \
	decoder/cli/log-reading.h \
	decoder/cli/output.c \
	decoder/cli/output.h \
	decoder/cli/part-program.c \
	decoder/cli/part-program.h \
	decoder/cli/progress.c \
	decoder/cli/progress.h \
	decoder/cli/short-options.c \
	decoder/cli/short-options.h \
	decoder/cli/tell.c \
	decoder/cli/tell.h
libproflog_command_la_CPPFLAGS = $(AM_CPPFLAGS) -DG_LOG_DOMAIN=\"proflog\" -DPROFLOG_LIBDIR=\"$(libdir)\" \
	-DPROFLOG_LIBEXECDIR=\"$(pkglibexecdir)\"
libproflog_command_la_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
libproflog_command_la_LIBADD = libproflog-internal.la

# The command: decoder/cli/cmd-NAME.c is `proflog NAME`; commands.def lists them.
bin_PROGRAMS += proflog
proflog_SOURCES = \
	decoder/cli/main.c \
	decoder/cli/dump-by-clock.c \
	decoder/cli/dump-by-clock.h \
	decoder/cli/log-feed.c \
	decoder/cli/log-order.c \
	decoder/cli/log-order.h \
	decoder/cli/log-summarize.c \
	decoder/cli/summary-command.c \
	decoder/cli/summary-command.h \
	decoder/cli/view-options.c \
	decoder/cli/view-options.h \
	decoder/cli/write-command.c \
	decoder/cli/write-command.h \
	decoder/cli/cmd-anonymize.c \
	decoder/cli/cmd-check.c \
	decoder/cli/cmd-ctl.c \
	decoder/cli/cmd-fetch.c \
	decoder/cli/eventlog-socket.c \
	decoder/cli/eventlog-socket.h \
	decoder/cli/cmd-cut.c \
	decoder/cli/cmd-dump.c \
	decoder/cli/cmd-export.c \
	decoder/cli/cmd-heap.c \
	decoder/cli/cmd-follow.c \
	decoder/cli/follow-lines.c \
	decoder/cli/follow-lines.h \
	decoder/cli/cmd-info.c \
	decoder/cli/cmd-merge.c \
	decoder/cli/cmd-repair.c \
	decoder/cli/cmd-replay.c \
	decoder/cli/cmd-report.c \
	decoder/cli/cmd-run.c \
	decoder/cli/cmd-serve.c \
	decoder/cli/cmd-validate.c \
	decoder/cli/cmd-show.c \
	decoder/cli/cmd-stats.c \
	decoder/cli/cmd-top.c \
	decoder/cli/terminal.c \
	decoder/cli/terminal.h \
	decoder/cli/top-page.c \
	decoder/cli/top-page.h \
	decoder/cli/repair-mono.c \
	decoder/cli/repair-mono.h \
	decoder/cli/run-child.c \
	decoder/cli/run-child.h \
	decoder/cli/run-log.c \
	decoder/cli/run-log.h
proflog_CPPFLAGS = $(libproflog_command_la_CPPFLAGS)
proflog_CFLAGS = $(libproflog_command_la_CFLAGS)
proflog_LDADD = libproflog-command.la $(GLIB_LIBS)
