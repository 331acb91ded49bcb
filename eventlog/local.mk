# The writer of eventlogs that any runtime can use.  No GLib.
lib_LTLIBRARIES += libproflog-eventlog.la
libproflog_eventlog_la_SOURCES = $(eventlog_sources)
libproflog_eventlog_la_CFLAGS = $(AM_CFLAGS) -pthread
libproflog_eventlog_la_LDFLAGS = $(AM_LDFLAGS) -pthread -version-info 0:0:0 \
	-export-symbols-regex '^eventlog_(writer_|post|class_|result_)'
