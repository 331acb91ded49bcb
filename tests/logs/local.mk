# Small logs that tests read, and what made them.
EXTRA_DIST += tests/logs/small.mlpd

check_PROGRAMS += tests/logs/make-small
tests_logs_make_small_SOURCES = tests/logs/make-small.c

regenerate-logs: tests/logs/make-small
	tests/logs/make-small > $(srcdir)/tests/logs/small.mlpd
.PHONY: regenerate-logs

# Logs of the stock profiler in each of its modes, and what other readers say about them: made by
# scripts/record-stock-logs.
TESTS += tests/logs/test-stock-events.sh
EXTRA_DIST += \
	tests/logs/stock-logs.sh \
	tests/logs/test-stock-events.sh \
	tests/logs/test-stock-figures.sh \
	tests/logs/stock-alloc.counts \
	tests/logs/stock-alloc.mlpd.gz \
	tests/logs/stock-calls.counts \
	tests/logs/stock-calls.mlpd.gz \
	tests/logs/stock-counters.counts \
	tests/logs/stock-counters.mlpd.gz \
	tests/logs/stock-default.counts \
	tests/logs/stock-default.mlpd.gz \
	tests/logs/stock-domains.counts \
	tests/logs/stock-domains.mlpd.gz \
	tests/logs/stock-dynamic.counts \
	tests/logs/stock-dynamic.mlpd.gz \
	tests/logs/stock-exceptions.counts \
	tests/logs/stock-exceptions.mlpd.gz \
	tests/logs/stock-finalizers.counts \
	tests/logs/stock-finalizers.mlpd.gz \
	tests/logs/stock-handles.counts \
	tests/logs/stock-handles.mlpd.gz \
	tests/logs/stock-heapshot.counts \
	tests/logs/stock-heapshot.mlpd.gz \
	tests/logs/stock-monitors.counts \
	tests/logs/stock-monitors.mlpd.gz \
	tests/logs/stock-samples.counts \
	tests/logs/stock-samples.mlpd.gz \
	tests/logs/stock-threads.counts \
	tests/logs/stock-threads.mlpd.gz
