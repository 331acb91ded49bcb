# `make bench` measures proflog against mprof-report; it is no part of `make check`.
# BENCH=report/calls measures that pair only.
EXTRA_PROGRAMS += bench/run-pair bench/flood
bench_run_pair_SOURCES = bench/run-pair.c
bench_flood_SOURCES = bench/flood.c

.PHONY: bench
bench: all bench/run-pair$(EXEEXT) bench/flood$(EXEEXT) tests/logs/make-heap$(EXEEXT)
	test -n "$(BENCH)" || $(MAKE) $(AM_MAKEFLAGS) bench-live bench-samples
	$(srcdir)/bench/run $(BENCH)

# Whether samples have the shares that perf and the programs' own clocks have, within 4 points.
samples_tests = tests/mono/test-perf.sh tests/mono/test-cpu-samples.sh
.PHONY: bench-samples
bench-samples: all
	PROFLOG_POINTS=4 PROFLOG_SEEDS=20; export PROFLOG_POINTS PROFLOG_SEEDS; \
	  $(MAKE) $(AM_MAKEFLAGS) check TESTS='$(samples_tests)' AM_LOG_FLAGS='-k 10 600'
	grep -h ' points' $(samples_tests:=.log)

# What the module adds to the time of programs, beside what the stock profiler adds, and what the commands that
# people type cost; or, with BENCH=calls or BENCH=commands/mcs, a part of it.
.PHONY: bench-module update-costs
bench-module: all
	status=0; $(srcdir)/bench/run-module $(BENCH) || status=1; $(srcdir)/bench/run-commands $(BENCH) || status=1; \
	  exit $$status
# Measures the table of README anew.
update-costs: all
	$(srcdir)/bench/run-commands --update $(srcdir)/README.md

# How much longer heap snapshots stop a program than their collections.
.PHONY: bench-stops
bench-stops: all
	$(srcdir)/bench/run-stops

# What strings, collections and operations of heap snapshots add to the stop; BENCH=FOLDER also counts the module of
# another build, without options.
.PHONY: bench-snapshots
bench-snapshots: all
	$(srcdir)/bench/run-snapshots $(BENCH)

# The page of a heat map of a day.
.PHONY: bench-heatmap
bench-heatmap: all tests/logs/make-day$(EXEEXT)
	$(srcdir)/bench/run-heatmap

# What many logs take on servers of ClickHouse.
.PHONY: bench-fleet
bench-fleet: all tests/mono/json-paths$(EXEEXT)
	$(srcdir)/bench/run-fleet

# Whether `proflog top` keeps up with 5 million events a second, for a minute, without growing; and
# `follow` prints an event of Mono and of GHC at most 50 ms after the interval of flushes.
live_delays = tests/mono/test-follow.sh tests/ghc-live/test-ghc-follow.sh
.PHONY: bench-live soak-live
bench-live: all bench/flood$(EXEEXT)
	$(srcdir)/bench/run-live
	PROFLOG_FLUSHES='10 100 500' PROFLOG_DELAY_MS=50; export PROFLOG_FLUSHES PROFLOG_DELAY_MS; \
	  $(MAKE) $(AM_MAKEFLAGS) check TESTS='$(live_delays)'
	grep -h 'from an event to its line' $(live_delays:=.log)
soak-live: all bench/flood$(EXEEXT)
	$(srcdir)/bench/run-live 600
soak: soak-live

EXTRA_DIST += \
	bench/README.md \
	bench/compare-builds \
	bench/empty-calls.c \
	bench/fixed-clock.c \
	bench/heap-memlab.mjs \
	bench/heap-perfetto.mjs \
	bench/make-logs \
	bench/run \
	bench/run-commands \
	bench/run-fleet \
	bench/run-heatmap \
	bench/run-live \
	bench/run-module \
	bench/run-snapshots \
	bench/run-stops \
	bench/programs/make-source \
	bench/programs/record-allocs.cs \
	bench/programs/record-calls.cs \
	bench/programs/record-heap.cs \
	bench/programs/record-hello.cs \
	bench/programs/record-work.cs \
	bench/programs/bench-alloc.cs \
	bench/programs/bench-calls.cs \
	bench/programs/bench-heapshot.cs \
	bench/programs/snapshot-heap.cs \
	bench/programs/stop-heap.cs \
	bench/programs/bench-switches.hs
CLEANFILES += bench/run-pair$(EXEEXT) bench/flood$(EXEEXT)
