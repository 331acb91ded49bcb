# Small logs that tests read, and what made them.
EXTRA_DIST += tests/logs/small.mlpd

check_PROGRAMS += tests/logs/make-small
tests_logs_make_small_SOURCES = tests/logs/make-small.c

regenerate-logs: tests/logs/make-small
	tests/logs/make-small > $(srcdir)/tests/logs/small.mlpd
.PHONY: regenerate-logs
