# `make bench` measures proflog against mprof-report; it is no part of `make check`.
# BENCH=report/calls measures that pair only.
EXTRA_PROGRAMS = bench/run-pair
bench_run_pair_SOURCES = bench/run-pair.c

.PHONY: bench
bench: all bench/run-pair$(EXEEXT) tests/logs/make-heap$(EXEEXT)
	$(srcdir)/bench/run $(BENCH)

# What the module adds to the time of programs, beside what the stock profiler adds; or, with
# BENCH=calls, one line of it.
.PHONY: bench-module
bench-module: all
	$(srcdir)/bench/run-module $(BENCH)

EXTRA_DIST += \
	bench/README.md \
	bench/make-logs \
	bench/run \
	bench/run-module \
	bench/programs/make-source \
	bench/programs/record-allocs.cs \
	bench/programs/record-calls.cs \
	bench/programs/record-heap.cs \
	bench/programs/record-hello.cs \
	bench/programs/bench-alloc.cs \
	bench/programs/bench-calls.cs \
	bench/programs/bench-heapshot.cs \
	bench/programs/bench-switches.hs
CLEANFILES += bench/run-pair$(EXEEXT)
