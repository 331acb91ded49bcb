# The writer of eventlogs: its bytes, its rules, and what the tools for eventlogs read in its logs.
if HAVE_CMOCKA
check_PROGRAMS += tests/eventlog/test-eventlog-writer tests/eventlog/test-eventlog-destinations \
	tests/eventlog/test-eventlog-refusals tests/eventlog/test-event-memory
TESTS += tests/eventlog/test-eventlog-writer tests/eventlog/test-eventlog-destinations \
	tests/eventlog/test-eventlog-refusals tests/eventlog/test-event-memory
endif
tests_eventlog_test_event_memory_SOURCES = tests/eventlog/test-event-memory.c \
	eventlog/event-memory.c
tests_eventlog_test_event_memory_CPPFLAGS = $(unit_cppflags)
tests_eventlog_test_event_memory_CFLAGS = $(unit_cflags)
tests_eventlog_test_event_memory_LDADD = $(unit_ldadd)

tests_eventlog_test_eventlog_writer_SOURCES = tests/eventlog/test-eventlog-writer.c \
	tests/eventlog/taken.c tests/eventlog/taken.h
tests_eventlog_test_eventlog_writer_CPPFLAGS = $(unit_cppflags)
tests_eventlog_test_eventlog_writer_CFLAGS = $(unit_cflags)
tests_eventlog_test_eventlog_writer_LDADD = libproflog-eventlog.la $(unit_ldadd)

tests_eventlog_test_eventlog_destinations_SOURCES = tests/eventlog/test-eventlog-destinations.c \
	tests/eventlog/taken.c tests/eventlog/taken.h
tests_eventlog_test_eventlog_destinations_CPPFLAGS = $(unit_cppflags)
tests_eventlog_test_eventlog_destinations_CFLAGS = $(unit_cflags)
tests_eventlog_test_eventlog_destinations_LDADD = libproflog-eventlog.la $(unit_ldadd)

tests_eventlog_test_eventlog_refusals_SOURCES = tests/eventlog/test-eventlog-refusals.c \
	tests/eventlog/taken.c tests/eventlog/taken.h
tests_eventlog_test_eventlog_refusals_CPPFLAGS = $(unit_cppflags)
tests_eventlog_test_eventlog_refusals_CFLAGS = $(unit_cflags)
tests_eventlog_test_eventlog_refusals_LDADD = libproflog-eventlog.la $(unit_ldadd)

check_PROGRAMS += tests/eventlog/post-all
tests_eventlog_post_all_SOURCES = tests/eventlog/post-all.c
tests_eventlog_post_all_LDADD = libproflog-eventlog.la

check_PROGRAMS += tests/eventlog/post-segments
tests_eventlog_post_segments_SOURCES = tests/eventlog/post-segments.c
tests_eventlog_post_segments_CFLAGS = $(AM_CFLAGS) -pthread
tests_eventlog_post_segments_LDADD = libproflog-eventlog.la

# A Haskell program has no sanitizer.
if SANITIZED
TESTS += tests/eventlog/test-eventlog-tools.sh
else
TESTS += $(eventlog_tests)
endif
