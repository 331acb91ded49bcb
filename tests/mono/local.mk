# The real Mono: C# programs whose own counters are the truth.
check_PROGRAMS += tests/mono/json-paths
tests_mono_json_paths_SOURCES = tests/mono/json-paths.c
tests_mono_json_paths_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
tests_mono_json_paths_LDADD = $(GLIB_LIBS)

# What `proflog dump` prints, counted and added up.
check_PROGRAMS += tests/mono/dump-counts
tests_mono_dump_counts_SOURCES = tests/mono/dump-counts.c
tests_mono_dump_counts_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
tests_mono_dump_counts_LDADD = $(GLIB_LIBS)

# How late lines of `proflog follow` come.
check_PROGRAMS += tests/mono/line-delays
tests_mono_line_delays_SOURCES = tests/mono/line-delays.c

mono_tests = \
	tests/mono/test-alloc.sh \
	tests/mono/test-alloc-100.sh \
	tests/mono/test-calls.sh \
	tests/mono/test-children.sh \
	tests/mono/test-conform-alloc.sh \
	tests/mono/test-conform-calls.sh \
	tests/mono/test-conform-clock.sh \
	tests/mono/test-conform-domains.sh \
	tests/mono/test-conform-heap.sh \
	tests/mono/test-conform-own.sh \
	tests/mono/test-conform-threads.sh \
	tests/mono/test-conform-types.sh \
	tests/mono/test-control.sh \
	tests/mono/test-cut.sh \
	tests/mono/test-embedded.sh \
	tests/mono/test-ends.sh \
	tests/mono/test-eventlog.sh \
	tests/mono/test-follow.sh \
	tests/mono/test-gc.sh \
	tests/mono/test-heapshot.sh \
	tests/mono/test-help.sh \
	tests/mono/test-inside.sh \
	tests/mono/test-judge.sh \
	tests/mono/test-killed.sh \
	tests/mono/test-leaks.sh \
	tests/mono/test-locks.sh \
	tests/mono/test-names.sh \
	tests/mono/test-readers.sh \
	tests/mono/test-replay.sh \
	tests/mono/test-rotation.sh \
	tests/mono/test-run.sh \
	tests/mono/test-sampled.sh \
	tests/mono/test-serve.sh \
	tests/mono/test-sinks.sh \
	tests/mono/test-stacks.sh \
	tests/mono/test-startup.sh \
	tests/mono/test-threads.sh \
	tests/mono/test-throw.sh \
	tests/mono/test-unharmed.sh \
	tests/mono/test-versions.sh

# Without the sanitizers: Mono does not load a module that needs their runtime.
if !SANITIZED
TESTS += $(mono_tests)
endif

EXTRA_DIST += $(mono_tests) \
	tests/mono/agree.awk \
	tests/mono/agree.sh \
	tests/mono/conform.sh \
	tests/mono/embedder.c \
	tests/mono/control-program.sh tests/mono/lib.sh \
	tests/mono/log-counts.cs \
	tests/mono/mprof-counts.awk \
	tests/mono/mprof-paths.awk \
	tests/mono/programs/alive.cs \
	tests/mono/programs/alloc.cs \
	tests/mono/programs/arrays.cs \
	tests/mono/programs/calls.cs \
	tests/mono/programs/child.cs \
	tests/mono/programs/children.cs \
	tests/mono/programs/conf-counters.cs \
	tests/mono/programs/conf-domains.cs \
	tests/mono/programs/conf-dynamic.cs \
	tests/mono/programs/conf-finalizers.cs \
	tests/mono/programs/conf-handles.cs \
	tests/mono/programs/conf-roots.cs \
	tests/mono/programs/conf-samples.cs \
	tests/mono/programs/conf-threads.cs \
	tests/mono/programs/conf-types.cs \
	tests/mono/programs/descriptors.cs \
	tests/mono/programs/directory.cs \
	tests/mono/programs/ends.cs \
	tests/mono/programs/eventlog.cs \
	tests/mono/programs/control.cs \
	tests/mono/programs/counters.cs \
	tests/mono/programs/environment.cs \
	tests/mono/programs/forest.cs \
	tests/mono/programs/gc.cs \
	tests/mono/programs/heapshot.cs \
	tests/mono/programs/hello.cs \
	tests/mono/programs/inside.cs \
	tests/mono/programs/killed.cs \
	tests/mono/programs/leaves.cs \
	tests/mono/programs/leaks.txt \
	tests/mono/programs/locks.cs \
	tests/mono/programs/names.cs \
	tests/mono/programs/sizes.cs \
	tests/mono/programs/stacks.cs \
	tests/mono/programs/threads.cs \
	tests/mono/programs/throw.cs

# The long versions, of an hour at worst.  PROFLOG_KILLS: each program is killed that often.  Estimates of
# sampled allocations lie within three standard errors but for one time in twenty or so.
soak_tests = \
	tests/host/test-host-limits.sh \
	tests/host/test-host-rotation.sh \
	tests/mono/test-killed.sh \
	tests/mono/test-rotation.sh \
	tests/mono/test-sampled.sh \
	tests/mono/test-threads.sh \
	tests/peers/test-peers.sh
soak:
	PROFLOG_PEER_OBJECTS=$${PROFLOG_PEER_OBJECTS-1000000}; export PROFLOG_PEER_OBJECTS; \
	PROFLOG_KILLS=$${PROFLOG_KILLS-200}; export PROFLOG_KILLS; \
	PROFLOG_SECONDS=$${PROFLOG_SECONDS-20}; export PROFLOG_SECONDS; \
	PROFLOG_THREADS=$${PROFLOG_THREADS-100000}; export PROFLOG_THREADS; \
	PROFLOG_RUNS=$${PROFLOG_RUNS-30}; export PROFLOG_RUNS; \
	PROFLOG_ERRORS=$${PROFLOG_ERRORS-3}; export PROFLOG_ERRORS; \
	  $(MAKE) $(AM_MAKEFLAGS) check TESTS='$(soak_tests)' AM_LOG_FLAGS='-k 10 14400'
.PHONY: soak

CLEANFILES += tests/mono/programs/*.exe
