# What a GHC program is linked with so that its eventlog can be read while it runs.  No GLib, and
# nothing of the runtime: that is in haskell/proflog-main.c.  The control is the module's.
lib_LTLIBRARIES += libproflog-ghc.la
libproflog_ghc_la_SOURCES = \
	eventlog/event-memory.c \
	eventlog/eventlog-classes.c \
	eventlog/eventlog-descriptor.c \
	ghc/ghc-destination.c \
	ghc/ghc-destination.h \
	ghc/ghc-flush.c \
	ghc/ghc-flush.h \
	ghc/ghc-live.c \
	ghc/ghc-live.h \
	ghc/ghc-options.c \
	ghc/ghc-options.h \
	ghc/ghc-program.c \
	ghc/ghc-stream.c \
	ghc/ghc-stream.h \
	ghc/ghc-verbs.c \
	profiler/descriptors.c \
	profiler/clock.c \
	profiler/control-dispatch.c \
	profiler/control-reply.c \
	profiler/control.c \
	profiler/native-thread.c \
	profiler/user-directory.c \
	profiler/warn.c
libproflog_ghc_la_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
libproflog_ghc_la_CFLAGS = $(AM_CFLAGS) -pthread
libproflog_ghc_la_LDFLAGS = $(AM_LDFLAGS) -pthread -version-info 0:0:0 \
	-export-symbols-regex '^proflog_ghc_'
