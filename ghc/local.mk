# What a GHC program is linked with so that its eventlog can be read while it runs.  No GLib, and
# nothing of the runtime: that is in haskell/proflog-main.c.  The control is the module's.
lib_LTLIBRARIES += libproflog-ghc.la
libproflog_ghc_la_SOURCES = \
	$(ghc_sources) \
	eventlog/event-memory.c \
	eventlog/eventlog-classes.c \
	eventlog/eventlog-descriptor.c \
	eventlog/eventlog-kinds.c
libproflog_ghc_la_LIBADD = libproflog-agent.la
libproflog_ghc_la_CFLAGS = $(AM_CFLAGS) -pthread
libproflog_ghc_map = $(top_srcdir)/ghc/libproflog-ghc.map
libproflog_ghc_la_LDFLAGS = $(AM_LDFLAGS) -pthread -version-info 0:0:0 -Wl,--version-script=$(libproflog_ghc_map)
EXTRA_libproflog_ghc_la_DEPENDENCIES = $(libproflog_ghc_map)
EXTRA_DIST += $(libproflog_ghc_map)
