# `make bench` measures proflog against mprof-report; it is no part of `make check`.
# BENCH=report/calls measures that pair only.
EXTRA_PROGRAMS = bench/run-pair
bench_run_pair_SOURCES = bench/run-pair.c

.PHONY: bench
bench: all bench/run-pair$(EXEEXT)
	$(srcdir)/bench/run $(BENCH)

EXTRA_DIST += \
	bench/README.md \
	bench/make-logs \
	bench/run \
	bench/programs/bench-alloc.cs \
	bench/programs/bench-calls.cs \
	bench/programs/bench-heapshot.cs
CLEANFILES += bench/run-pair$(EXEEXT)
