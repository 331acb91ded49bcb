# The command, end to end.
TESTS += $(cli_tests)

check_PROGRAMS += tests/cli/breaking-peer tests/cli/eventlog-socket-peer

check_PROGRAMS += tests/cli/write-random-log
tests_cli_write_random_log_CPPFLAGS = $(unit_cppflags)
tests_cli_write_random_log_CFLAGS = $(unit_cflags)
tests_cli_write_random_log_LDADD = $(unit_ldadd)

check_PROGRAMS += tests/cli/write-odd-log
tests_cli_write_odd_log_CPPFLAGS = $(unit_cppflags)
tests_cli_write_odd_log_CFLAGS = $(unit_cflags)
tests_cli_write_odd_log_LDADD = $(unit_ldadd)

check_PROGRAMS += tests/cli/write-marks
tests_cli_write_marks_CPPFLAGS = $(unit_cppflags)
tests_cli_write_marks_CFLAGS = $(unit_cflags)
tests_cli_write_marks_LDADD = $(unit_ldadd)

# Damages logs, and runs every command on them.
check_PROGRAMS += tests/cli/run-mutants
tests_cli_run_mutants_SOURCES = tests/cli/mutations.c tests/cli/mutations.h tests/cli/run-mutants.c
tests_cli_run_mutants_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
tests_cli_run_mutants_LDADD = $(GLIB_LIBS)

# PROFLOG_MUTANTS of each format, from PROFLOG_SEED on; findings are left in the build's folder.
mutants:
	PROFLOG_MUTANTS=$${PROFLOG_MUTANTS-10000}; export PROFLOG_MUTANTS; \
	  $(MAKE) $(AM_MAKEFLAGS) check TESTS=tests/cli/test-cli-mutants.sh AM_LOG_FLAGS='-k 10 36000'
.PHONY: mutants
