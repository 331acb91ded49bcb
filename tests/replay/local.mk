# proflog replay: what comes of a log that is replayed is the log's again.
check_PROGRAMS += tests/replay/log-events
tests_replay_log_events_SOURCES = tests/replay/log-events.c
tests_replay_log_events_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
tests_replay_log_events_LDADD = libproflog-internal.la $(GLIB_LIBS)
