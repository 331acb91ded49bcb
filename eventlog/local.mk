# The writer of eventlogs that any runtime can use.  No GLib.
lib_LTLIBRARIES += libproflog-eventlog.la
libproflog_eventlog_la_SOURCES = $(eventlog_sources)
libproflog_eventlog_la_CFLAGS = $(AM_CFLAGS) -pthread
libproflog_eventlog_map = $(top_srcdir)/eventlog/libproflog-eventlog.map
libproflog_eventlog_la_LDFLAGS = $(AM_LDFLAGS) -pthread -version-info 0:0:0 \
	-Wl,--version-script=$(libproflog_eventlog_map)
EXTRA_libproflog_eventlog_la_DEPENDENCIES = $(libproflog_eventlog_map)
EXTRA_DIST += $(libproflog_eventlog_map)
