TESTS += $(logs_tests)

# Small logs that tests read, and the programs that made them.
check_PROGRAMS += tests/logs/make-small

# A heap snapshot of any size, for tests and the benchmark.
check_PROGRAMS += tests/logs/make-heap

# A log as the published text of data version 1 has it.
check_PROGRAMS += tests/logs/make-letter

# A log with many threads, types, snapshots and pauses.
check_PROGRAMS += tests/logs/make-wide

# Samples over hours, for heat maps.
check_PROGRAMS += tests/logs/make-day

# A small eventlog of GHC.
if HAVE_CMOCKA
check_PROGRAMS += tests/logs/make-eventlog
endif
tests_logs_make_eventlog_CPPFLAGS = $(unit_cppflags)
tests_logs_make_eventlog_CFLAGS = $(unit_cflags)
tests_logs_make_eventlog_LDADD = $(unit_ldadd)

# Every event of each data version, with pointers of 8 and of 4 bytes.
check_PROGRAMS += tests/logs/make-all

regenerate-logs: tests/logs/make-small tests/logs/make-all tests/logs/make-eventlog
	tests/logs/make-eventlog > $(srcdir)/tests/logs/small.eventlog
	tests/logs/make-small > $(srcdir)/tests/logs/small.mlpd
	for v in `seq $$(tests/logs/make-all --last)`; do \
	  tests/logs/make-all $$v > $(srcdir)/tests/logs/all-v`printf %02d $$v`.mlpd || exit 1; \
	done
	tests/logs/make-all 12 4 > $(srcdir)/tests/logs/all-v12-32.mlpd
	tests/logs/make-all 17 4 > $(srcdir)/tests/logs/all-v17-32.mlpd
	gzip -9nc $(srcdir)/tests/logs/all-v17.mlpd > $(srcdir)/tests/logs/all-v17.mlpd.gz
.PHONY: regenerate-logs

# Small real logs of the module.  With `make record-module-logs` it writes them anew, under Mono.
module_logs = tests/logs/module-alloc.mlpd.gz tests/logs/module-calls.mlpd.gz
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
	mcs -nologo -nowarn:414,649 -out:/tmp/proflog-fixtures/spans.exe \
	  $(srcdir)/tests/mono/programs/spans.cs $(srcdir)/managed/proflog.cs
	LD_LIBRARY_PATH=$(abs_builddir)/.libs \
	  mono --profile=proflog:alloc,exception,monitor,gc,sample-real,output=/tmp/proflog-fixtures/spans.mlpd \
	  /tmp/proflog-fixtures/spans.exe 6
	gzip -9nc /tmp/proflog-fixtures/spans.mlpd > $(srcdir)/tests/cli/spans.mlpd.gz
	mcs -nologo -nowarn:414,649 -r:System.Core.dll -out:/tmp/proflog-fixtures/contents.exe \
	  $(srcdir)/tests/mono/programs/contents.cs
	LD_LIBRARY_PATH=$(abs_builddir)/.libs \
	  mono --profile=proflog:nodefaults,heapshot=1gc,heapshot-strings,heapshot-collections,output=/tmp/proflog-fixtures/contents.mlpd \
	  /tmp/proflog-fixtures/contents.exe
	gzip -9nc /tmp/proflog-fixtures/contents.mlpd > $(srcdir)/tests/cli/contents.mlpd.gz
	mcs -nologo -out:/tmp/proflog-fixtures/tasks.exe $(srcdir)/tests/mono/programs/tasks.cs
	LD_LIBRARY_PATH=$(abs_builddir)/.libs \
	  mono --profile=proflog:nodefaults,heapshot=1gc,heapshot-tasks,output=/tmp/proflog-fixtures/tasks.mlpd \
	  /tmp/proflog-fixtures/tasks.exe once
	gzip -9nc /tmp/proflog-fixtures/tasks.mlpd > $(srcdir)/tests/cli/tasks.mlpd.gz
	rm -rf /tmp/proflog-fixtures
.PHONY: record-module-logs

# Logs of the stock profiler in each of its modes, with what other readers found in them, are made by
# scripts/record-stock-logs; logs of GHC, with other figures of the same runs, by scripts/record-ghc-logs.
