# proflog replay: what comes of a log that is replayed is the log's again.
check_PROGRAMS += tests/replay/log-events
tests_replay_log_events_SOURCES = tests/replay/log-events.c
tests_replay_log_events_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
tests_replay_log_events_LDADD = libproflog-internal.la $(GLIB_LIBS)

check_PROGRAMS += tests/replay/make-turns

# (-rpath: what is only tested would not be made a shared library otherwise.)
check_LTLIBRARIES += libmono-profiler-callbacks.la
libmono_profiler_callbacks_la_SOURCES = tests/replay/callback-lister.c
libmono_profiler_callbacks_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden -pthread
libmono_profiler_callbacks_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared -rpath /nowhere

TESTS += $(replay_tests)
