# The command, end to end.
TESTS += $(cli_tests)

check_PROGRAMS += tests/cli/breaking-peer tests/cli/eventlog-socket-peer
