# Small logs that tests read, and what made them.
EXTRA_DIST += tests/logs/small.mlpd

check_PROGRAMS += tests/logs/make-small
tests_logs_make_small_SOURCES = tests/logs/make-small.c

# A heap shot of any size, for tests and the benchmark.
check_PROGRAMS += tests/logs/make-heap
tests_logs_make_heap_SOURCES = tests/logs/make-heap.c

# A small eventlog of GHC.
EXTRA_DIST += tests/logs/small.eventlog

check_PROGRAMS += tests/logs/make-eventlog
tests_logs_make_eventlog_SOURCES = tests/logs/make-eventlog.c
tests_logs_make_eventlog_CPPFLAGS = $(unit_cppflags)
tests_logs_make_eventlog_CFLAGS = $(unit_cflags)
tests_logs_make_eventlog_LDADD = libtest-ghc.la $(unit_ldadd)

# Every event of each data version, with pointers of 8 and of 4 bytes.
check_PROGRAMS += tests/logs/make-all
tests_logs_make_all_SOURCES = tests/logs/make-all.c

TESTS += tests/logs/test-all-figures.sh
EXTRA_DIST += \
	tests/logs/all.figures \
	tests/logs/test-all-figures.sh \
	tests/logs/all-v01.mlpd \
	tests/logs/all-v02.mlpd \
	tests/logs/all-v03.mlpd \
	tests/logs/all-v04.mlpd \
	tests/logs/all-v05.mlpd \
	tests/logs/all-v06.mlpd \
	tests/logs/all-v07.mlpd \
	tests/logs/all-v08.mlpd \
	tests/logs/all-v09.mlpd \
	tests/logs/all-v10.mlpd \
	tests/logs/all-v11.mlpd \
	tests/logs/all-v12.mlpd \
	tests/logs/all-v13.mlpd \
	tests/logs/all-v14.mlpd \
	tests/logs/all-v15.mlpd \
	tests/logs/all-v16.mlpd \
	tests/logs/all-v17.mlpd \
	tests/logs/all-v12-32.mlpd \
	tests/logs/all-v17-32.mlpd \
	tests/logs/all-v17.mlpd.gz

regenerate-logs: tests/logs/make-small tests/logs/make-all tests/logs/make-eventlog
	tests/logs/make-eventlog > $(srcdir)/tests/logs/small.eventlog
	tests/logs/make-small > $(srcdir)/tests/logs/small.mlpd
	for v in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17; do \
	  tests/logs/make-all $$v > $(srcdir)/tests/logs/all-v`printf %02d $$v`.mlpd || exit 1; \
	done
	tests/logs/make-all 12 4 > $(srcdir)/tests/logs/all-v12-32.mlpd
	tests/logs/make-all 17 4 > $(srcdir)/tests/logs/all-v17-32.mlpd
	gzip -9nc $(srcdir)/tests/logs/all-v17.mlpd > $(srcdir)/tests/logs/all-v17.mlpd.gz
.PHONY: regenerate-logs

# Small real logs of the module.  With `make record-module-logs` it writes them anew, under Mono.
module_logs = tests/logs/module-alloc.mlpd.gz tests/logs/module-calls.mlpd.gz
EXTRA_DIST += $(module_logs)
record-module-logs: libmono-profiler-proflog.la
	rm -rf /tmp/proflog-fixtures && mkdir /tmp/proflog-fixtures
	mcs -nologo -nowarn:414,649 -out:/tmp/proflog-fixtures/conf-threads.exe \
	  $(srcdir)/tests/mono/programs/conf-threads.cs
	for log in $(module_logs); do \
	  what=`echo $$log | sed 's/.*module-//; s/\..*//'`; \
	  LD_LIBRARY_PATH=$(abs_builddir)/.libs \
	    mono --profile=proflog:$$what,output=/tmp/proflog-fixtures/$$what.mlpd \
	    /tmp/proflog-fixtures/conf-threads.exe 40 && \
	  gzip -9nc /tmp/proflog-fixtures/$$what.mlpd > $(srcdir)/$$log || exit 1; \
	done
	rm -rf /tmp/proflog-fixtures
.PHONY: record-module-logs

# Logs of the stock profiler in each of its modes, and what other readers say about them: made by
# scripts/record-stock-logs.
TESTS += \
	tests/logs/test-stock-events.sh \
	tests/logs/test-stock-figures.sh \
	tests/logs/test-stock-objects.sh
EXTRA_DIST += \
	tests/logs/stock-logs.sh \
	tests/logs/test-stock-events.sh \
	tests/logs/test-stock-figures.sh \
	tests/logs/test-stock-objects.sh \
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

# Logs of GHC in each of its modes, and what their runs told besides: made by scripts/record-ghc-logs.
ghc_logs = \
	tests/logs/ghc-blocks \
	tests/logs/ghc-blocks-N1 \
	tests/logs/ghc-blocks-N2 \
	tests/logs/ghc-collect \
	tests/logs/ghc-collect-G3 \
	tests/logs/ghc-collect-N2 \
	tests/logs/ghc-collect-nonmoving \
	tests/logs/ghc-collect-sequential \
	tests/logs/ghc-heap-hT \
	tests/logs/ghc-heap-hb \
	tests/logs/ghc-heap-hc \
	tests/logs/ghc-heap-hc-only \
	tests/logs/ghc-heap-hd \
	tests/logs/ghc-heap-hm \
	tests/logs/ghc-heap-hr \
	tests/logs/ghc-heap-hy \
	tests/logs/ghc-restart \
	tests/logs/ghc-restart-N2 \
	tests/logs/ghc-sparks \
	tests/logs/ghc-sparks-all \
	tests/logs/ghc-sparks-user \
	tests/logs/ghc-ticks
TESTS += tests/logs/test-ghc-logs.sh tests/logs/test-ghc-pairs.sh tests/logs/test-ghc-stats.sh
EXTRA_DIST += \
	tests/logs/test-ghc-logs.sh \
	tests/logs/test-ghc-pairs.sh \
	tests/logs/test-ghc-stats.sh \
	$(ghc_logs:=.eventlog.gz) \
	$(ghc_logs:=.judged) \
	$(ghc_logs:=.stats) \
	$(ghc_logs:=.truth) \
	tests/logs/ghc-ticks.prof \
	tests/logs/ghc-heap-hT.hp.gz \
	tests/logs/ghc-heap-hb.hp.gz \
	tests/logs/ghc-heap-hc.hp.gz \
	tests/logs/ghc-heap-hc-only.hp.gz \
	tests/logs/ghc-heap-hd.hp.gz \
	tests/logs/ghc-heap-hm.hp.gz \
	tests/logs/ghc-heap-hr.hp.gz \
	tests/logs/ghc-heap-hy.hp.gz
