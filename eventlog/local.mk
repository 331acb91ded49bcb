# The writer of eventlogs that any runtime can use.  No GLib.
lib_LTLIBRARIES += libproflog-eventlog.la
libproflog_eventlog_la_SOURCES = \
	eventlog/event-memory.c \
	eventlog/event-memory.def \
	eventlog/event-memory.h \
	eventlog/eventlog-caps.c \
	eventlog/eventlog-classes.c \
	eventlog/eventlog-descriptor.c \
	eventlog/eventlog-descriptor.h \
	eventlog/eventlog-header.c \
	eventlog/eventlog-output.c \
	eventlog/eventlog-output.h \
	eventlog/eventlog-post.c \
	eventlog/eventlog-switch.c \
	eventlog/eventlog-timer.c \
	eventlog/eventlog-timer.h \
	eventlog/eventlog-writer.c \
	eventlog/eventlog.h
libproflog_eventlog_la_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
libproflog_eventlog_la_CFLAGS = $(AM_CFLAGS) -pthread
libproflog_eventlog_la_LDFLAGS = $(AM_LDFLAGS) -pthread -version-info 0:0:0 \
	-export-symbols-regex '^eventlog_(writer_|post|class_|result_)'
