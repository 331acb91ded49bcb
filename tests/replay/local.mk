# proflog replay: what comes of a log that is replayed is the log's again.
check_PROGRAMS += tests/replay/log-events
tests_replay_log_events_SOURCES = tests/replay/log-events.c
tests_replay_log_events_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
tests_replay_log_events_LDADD = libproflog-internal.la $(GLIB_LIBS)

check_PROGRAMS += tests/replay/make-turns
tests_replay_make_turns_SOURCES = tests/replay/make-turns.c

# (-rpath: what is only tested would not be made a shared library otherwise.)
check_LTLIBRARIES += libmono-profiler-tell.la
libmono_profiler_tell_la_SOURCES = tests/replay/tell.c
libmono_profiler_tell_la_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
libmono_profiler_tell_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden -pthread
libmono_profiler_tell_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared -rpath /nowhere

replay_tests = \
	tests/replay/test-replay-errors.sh \
	tests/replay/test-replay-events.sh \
	tests/replay/test-replay-order.sh \
	tests/replay/test-replay-round-trip.sh \
	tests/replay/test-replay-stock.sh
TESTS += $(replay_tests)
EXTRA_DIST += $(replay_tests) tests/replay/all-v17.told
