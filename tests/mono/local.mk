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

# A command with a limit of time, its end and that of its output.
check_PROGRAMS += tests/mono/run-bounded
tests_mono_run_bounded_SOURCES = tests/mono/run-bounded.c

# Without the sanitizers: Mono does not load a module that needs their runtime.
if !SANITIZED
TESTS += $(mono_tests)
endif

# The long versions, of an hour at worst.  PROFLOG_KILLS: each program is killed that often.  Estimates of
# sampled allocations lie within three standard errors but for one time in twenty or so.
soak_tests = \
	tests/host/test-host-limits.sh \
	tests/host/test-host-rotation-killed.sh \
	tests/cli/test-cli-decoders.sh \
	tests/cli/test-cli-random-logs.sh \
	tests/cli/test-cli-sample-error.sh \
	tests/mono/test-alloc-100.sh \
	tests/mono/test-attach.sh \
	tests/mono/test-boehm.sh \
	tests/mono/test-faults.sh \
	tests/mono/test-killed.sh \
	tests/mono/test-long-run.sh \
	tests/mono/test-recorder.sh \
	tests/mono/test-redirect.sh \
	tests/mono/test-rotation.sh \
	tests/mono/test-sacred-attached.sh \
	tests/mono/test-sacred.sh \
	tests/mono/test-sample-runs.sh \
	tests/mono/test-sampled.sh \
	tests/mono/test-threads.sh \
	tests/mono/test-toggled.sh \
	tests/torture/test-torture-decoder.sh \
	tests/torture/test-torture-module.sh \
	$(peers_tests)
soak:
	PROFLOG_PEER_OBJECTS=$${PROFLOG_PEER_OBJECTS-1000000}; export PROFLOG_PEER_OBJECTS; \
	PROFLOG_EVENTS=$${PROFLOG_EVENTS-10000000}; export PROFLOG_EVENTS; \
	PROFLOG_FAILURES=$${PROFLOG_FAILURES-all}; export PROFLOG_FAILURES; \
	PROFLOG_KILLS=$${PROFLOG_KILLS-200}; export PROFLOG_KILLS; \
	PROFLOG_LONG_SECONDS=$${PROFLOG_LONG_SECONDS-3600} PROFLOG_TOGGLES=$${PROFLOG_TOGGLES-10000}; export PROFLOG_LONG_SECONDS PROFLOG_TOGGLES; \
	PROFLOG_FAULTS=$${PROFLOG_FAULTS-20}; export PROFLOG_FAULTS; \
	PROFLOG_ATTACHMENTS=$${PROFLOG_ATTACHMENTS-500}; export PROFLOG_ATTACHMENTS; \
	PROFLOG_RECORDER_SECONDS=$${PROFLOG_RECORDER_SECONDS-3600} PROFLOG_SAVES=$${PROFLOG_SAVES-50}; export PROFLOG_RECORDER_SECONDS PROFLOG_SAVES; \
	PROFLOG_SECONDS=$${PROFLOG_SECONDS-20}; export PROFLOG_SECONDS; \
	PROFLOG_THREADS=$${PROFLOG_THREADS-100000}; export PROFLOG_THREADS; \
	PROFLOG_REDIRECTS=$${PROFLOG_REDIRECTS-1000}; export PROFLOG_REDIRECTS; \
	PROFLOG_RUNS=$${PROFLOG_RUNS-100}; export PROFLOG_RUNS; \
	PROFLOG_LOGS=$${PROFLOG_LOGS-1000}; export PROFLOG_LOGS; \
	PROFLOG_SACRED=$${PROFLOG_SACRED-200}; export PROFLOG_SACRED; \
	PROFLOG_SAMPLE_RUNS=$${PROFLOG_SAMPLE_RUNS-200}; export PROFLOG_SAMPLE_RUNS; \
	PROFLOG_ERRORS=$${PROFLOG_ERRORS-3}; export PROFLOG_ERRORS; \
	PROFLOG_BOEHM=$${PROFLOG_BOEHM-all}; export PROFLOG_BOEHM; \
	  $(MAKE) $(AM_MAKEFLAGS) check TESTS='$(soak_tests)' AM_LOG_FLAGS='-k 10 28800'
.PHONY: soak

CLEANFILES += tests/mono/programs/*.exe
