# The command, end to end.
TESTS += $(cli_tests)

check_PROGRAMS += tests/cli/breaking-peer tests/cli/eventlog-socket-peer

check_PROGRAMS += tests/cli/write-random-log
tests_cli_write_random_log_CPPFLAGS = $(unit_cppflags)
tests_cli_write_random_log_CFLAGS = $(unit_cflags)
tests_cli_write_random_log_LDADD = $(unit_ldadd)
