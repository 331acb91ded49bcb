# The writer of eventlogs: its bytes, its rules, and what the tools for eventlogs say of its logs.
check_PROGRAMS += tests/eventlog/test-eventlog-writer
TESTS += tests/eventlog/test-eventlog-writer
tests_eventlog_test_eventlog_writer_SOURCES = tests/eventlog/test-eventlog-writer.c
tests_eventlog_test_eventlog_writer_CPPFLAGS = $(unit_cppflags)
tests_eventlog_test_eventlog_writer_CFLAGS = $(unit_cflags)
tests_eventlog_test_eventlog_writer_LDADD = libproflog-eventlog.la $(unit_ldadd)
