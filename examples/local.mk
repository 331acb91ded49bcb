# Examples, of which those of the library are built as its users would.
examplesdir = $(docdir)/examples
dist_examples_DATA = examples/heap-classes.c examples/leak.cs examples/log-figures.c examples/log-figures.py \
	examples/monitored.cs examples/monitored.hs examples/phases.cs examples/print-log.c examples/quickstart.cs \
	examples/requests.cs examples/rewrite-eventlog.c examples/watched.hs examples/write-eventlog.c

check_PROGRAMS += examples/rewrite-eventlog
examples_rewrite_eventlog_SOURCES = examples/rewrite-eventlog.c
examples_rewrite_eventlog_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
examples_rewrite_eventlog_LDADD = libproflog.la $(GLIB_LIBS)

check_PROGRAMS += examples/log-figures
examples_log_figures_SOURCES = examples/log-figures.c
examples_log_figures_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
examples_log_figures_LDADD = libproflog.la $(GLIB_LIBS)

check_PROGRAMS += examples/print-log
examples_print_log_SOURCES = examples/print-log.c
examples_print_log_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
examples_print_log_LDADD = libproflog.la $(GLIB_LIBS)

check_PROGRAMS += examples/heap-classes
examples_heap_classes_SOURCES = examples/heap-classes.c
examples_heap_classes_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
examples_heap_classes_LDADD = libproflog.la $(GLIB_LIBS)

check_PROGRAMS += examples/write-eventlog
examples_write_eventlog_SOURCES = examples/write-eventlog.c
examples_write_eventlog_CFLAGS = $(AM_CFLAGS) -pthread
examples_write_eventlog_LDADD = libproflog-eventlog.la
