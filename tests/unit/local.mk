# cmocka tests, a file each: test-NAME.c tests NAME.c.
unit_cppflags = $(AM_CPPFLAGS) -DG_LOG_DOMAIN=\"test\"
unit_cflags = $(AM_CFLAGS) $(GLIB_CFLAGS) $(CMOCKA_CFLAGS)
unit_ldadd = libproflog-internal.la $(CMOCKA_LIBS) $(GLIB_LIBS)

# A misuse of GLib fails the test.
AM_TESTS_ENVIRONMENT += G_DEBUG=fatal-criticals; export G_DEBUG;
# GLib before 2.76 hands memory from thread to thread behind locks that sanitizers do not see.
AM_TESTS_ENVIRONMENT += G_SLICE=always-malloc; export G_SLICE;

# What several tests share: reading a log from memory and writing down its items.
check_LTLIBRARIES += libtest-log.la
libtest_log_la_SOURCES = \
	tests/unit/log-items.c \
	tests/unit/log-items.h \
	tests/unit/log-script.c \
	tests/unit/log-script.h
libtest_log_la_CPPFLAGS = $(unit_cppflags)
libtest_log_la_CFLAGS = $(unit_cflags)

check_PROGRAMS += tests/unit/test-cases
TESTS += tests/unit/test-cases
EXTRA_DIST += \
	tests/cases/README \
	tests/cases/alloc.case \
	tests/cases/coverage.case \
	tests/cases/damage.case \
	tests/cases/exception.case \
	tests/cases/gc.case \
	tests/cases/header.case \
	tests/cases/heap.case \
	tests/cases/meta.case \
	tests/cases/metadata.case \
	tests/cases/method.case \
	tests/cases/monitor.case \
	tests/cases/runtime.case \
	tests/cases/sample.case
tests_unit_test_cases_SOURCES = tests/unit/test-cases.c
tests_unit_test_cases_CPPFLAGS = $(unit_cppflags)
tests_unit_test_cases_CFLAGS = $(unit_cflags)
tests_unit_test_cases_LDADD = libtest-log.la $(unit_ldadd)

check_PROGRAMS += tests/unit/test-cursor
TESTS += tests/unit/test-cursor
tests_unit_test_cursor_SOURCES = tests/unit/test-cursor.c
tests_unit_test_cursor_CPPFLAGS = $(unit_cppflags)
tests_unit_test_cursor_CFLAGS = $(unit_cflags)
tests_unit_test_cursor_LDADD = $(unit_ldadd)

check_PROGRAMS += tests/unit/test-log-input
TESTS += tests/unit/test-log-input
tests_unit_test_log_input_SOURCES = tests/unit/test-log-input.c
tests_unit_test_log_input_CPPFLAGS = $(unit_cppflags)
tests_unit_test_log_input_CFLAGS = $(unit_cflags) $(ZLIB_CFLAGS) $(ZSTD_CFLAGS)
tests_unit_test_log_input_LDADD = $(unit_ldadd) $(ZLIB_LIBS) $(ZSTD_LIBS)

check_PROGRAMS += tests/unit/test-mlpd-decode
TESTS += tests/unit/test-mlpd-decode
tests_unit_test_mlpd_decode_SOURCES = tests/unit/test-mlpd-decode.c
tests_unit_test_mlpd_decode_CPPFLAGS = $(unit_cppflags)
tests_unit_test_mlpd_decode_CFLAGS = $(unit_cflags)
tests_unit_test_mlpd_decode_LDADD = $(unit_ldadd)

check_PROGRAMS += tests/unit/test-mlpd-describe
TESTS += tests/unit/test-mlpd-describe
tests_unit_test_mlpd_describe_SOURCES = tests/unit/test-mlpd-describe.c
tests_unit_test_mlpd_describe_CPPFLAGS = $(unit_cppflags)
tests_unit_test_mlpd_describe_CFLAGS = $(unit_cflags)
tests_unit_test_mlpd_describe_LDADD = $(unit_ldadd)

check_PROGRAMS += tests/unit/test-mlpd-encode
TESTS += tests/unit/test-mlpd-encode
tests_unit_test_mlpd_encode_SOURCES = tests/unit/test-mlpd-encode.c
tests_unit_test_mlpd_encode_CPPFLAGS = $(unit_cppflags)
tests_unit_test_mlpd_encode_CFLAGS = $(unit_cflags)
tests_unit_test_mlpd_encode_LDADD = $(unit_ldadd)

check_PROGRAMS += tests/unit/test-mlpd-reader
TESTS += tests/unit/test-mlpd-reader
tests_unit_test_mlpd_reader_SOURCES = tests/unit/test-mlpd-reader.c
tests_unit_test_mlpd_reader_CPPFLAGS = $(unit_cppflags)
tests_unit_test_mlpd_reader_CFLAGS = $(unit_cflags)
tests_unit_test_mlpd_reader_LDADD = libtest-log.la $(unit_ldadd)

check_PROGRAMS += tests/unit/test-logs
TESTS += tests/unit/test-logs
tests_unit_test_logs_SOURCES = tests/unit/test-logs.c
tests_unit_test_logs_CPPFLAGS = $(unit_cppflags)
tests_unit_test_logs_CFLAGS = $(unit_cflags)
tests_unit_test_logs_LDADD = libtest-log.la $(unit_ldadd)

check_PROGRAMS += tests/unit/test-clock
TESTS += tests/unit/test-clock
tests_unit_test_clock_SOURCES = tests/unit/test-clock.c profiler/clock.c
tests_unit_test_clock_CPPFLAGS = $(unit_cppflags)
tests_unit_test_clock_CFLAGS = $(unit_cflags) -pthread
tests_unit_test_clock_LDADD = $(unit_ldadd)

check_PROGRAMS += tests/unit/test-sampling
TESTS += tests/unit/test-sampling
tests_unit_test_sampling_SOURCES = tests/unit/test-sampling.c profiler/clock.c profiler/sampling.c
tests_unit_test_sampling_CPPFLAGS = $(unit_cppflags)
tests_unit_test_sampling_CFLAGS = $(unit_cflags)
tests_unit_test_sampling_LDADD = $(unit_ldadd) -lm

check_PROGRAMS += tests/unit/test-scan-block
TESTS += tests/unit/test-scan-block
tests_unit_test_scan_block_SOURCES = tests/unit/test-scan-block.c
tests_unit_test_scan_block_CPPFLAGS = $(unit_cppflags)
tests_unit_test_scan_block_CFLAGS = $(unit_cflags)
tests_unit_test_scan_block_LDADD = libtest-log.la $(unit_ldadd)

check_PROGRAMS += tests/unit/test-allocations
TESTS += tests/unit/test-allocations
tests_unit_test_allocations_SOURCES = tests/unit/test-allocations.c
tests_unit_test_allocations_CPPFLAGS = $(unit_cppflags)
tests_unit_test_allocations_CFLAGS = $(unit_cflags)
tests_unit_test_allocations_LDADD = libtest-log.la $(unit_ldadd)

check_PROGRAMS += tests/unit/test-calls
TESTS += tests/unit/test-calls
tests_unit_test_calls_SOURCES = tests/unit/test-calls.c
tests_unit_test_calls_CPPFLAGS = $(unit_cppflags)
tests_unit_test_calls_CFLAGS = $(unit_cflags)
tests_unit_test_calls_LDADD = libtest-log.la $(unit_ldadd)

check_PROGRAMS += tests/unit/test-dump
TESTS += tests/unit/test-dump
tests_unit_test_dump_SOURCES = tests/unit/test-dump.c
tests_unit_test_dump_CPPFLAGS = $(unit_cppflags)
tests_unit_test_dump_CFLAGS = $(unit_cflags)
tests_unit_test_dump_LDADD = libtest-log.la $(unit_ldadd)

check_PROGRAMS += tests/unit/test-emitter
TESTS += tests/unit/test-emitter
tests_unit_test_emitter_SOURCES = tests/unit/test-emitter.c
tests_unit_test_emitter_CPPFLAGS = $(unit_cppflags)
tests_unit_test_emitter_CFLAGS = $(unit_cflags)
tests_unit_test_emitter_LDADD = libtest-log.la $(unit_ldadd)

check_PROGRAMS += tests/unit/test-exceptions
TESTS += tests/unit/test-exceptions
tests_unit_test_exceptions_SOURCES = tests/unit/test-exceptions.c
tests_unit_test_exceptions_CPPFLAGS = $(unit_cppflags)
tests_unit_test_exceptions_CFLAGS = $(unit_cflags)
tests_unit_test_exceptions_LDADD = libtest-log.la $(unit_ldadd)

check_PROGRAMS += tests/unit/test-gc
TESTS += tests/unit/test-gc
tests_unit_test_gc_SOURCES = tests/unit/test-gc.c
tests_unit_test_gc_CPPFLAGS = $(unit_cppflags)
tests_unit_test_gc_CFLAGS = $(unit_cflags)
tests_unit_test_gc_LDADD = libtest-log.la $(unit_ldadd)

check_PROGRAMS += tests/unit/test-heapshots
TESTS += tests/unit/test-heapshots
tests_unit_test_heapshots_SOURCES = tests/unit/test-heapshots.c
tests_unit_test_heapshots_CPPFLAGS = $(unit_cppflags)
tests_unit_test_heapshots_CFLAGS = $(unit_cflags)
tests_unit_test_heapshots_LDADD = libtest-log.la $(unit_ldadd)

check_PROGRAMS += tests/unit/test-info
TESTS += tests/unit/test-info
tests_unit_test_info_SOURCES = tests/unit/test-info.c
tests_unit_test_info_CPPFLAGS = $(unit_cppflags)
tests_unit_test_info_CFLAGS = $(unit_cflags)
tests_unit_test_info_LDADD = libtest-log.la $(unit_ldadd)

check_PROGRAMS += tests/unit/test-log
TESTS += tests/unit/test-log
tests_unit_test_log_SOURCES = tests/unit/test-log.c
tests_unit_test_log_CPPFLAGS = $(unit_cppflags)
tests_unit_test_log_CFLAGS = $(unit_cflags)
tests_unit_test_log_LDADD = libtest-log.la $(unit_ldadd)

check_PROGRAMS += tests/unit/test-metadata
TESTS += tests/unit/test-metadata
tests_unit_test_metadata_SOURCES = tests/unit/test-metadata.c
tests_unit_test_metadata_CPPFLAGS = $(unit_cppflags)
tests_unit_test_metadata_CFLAGS = $(unit_cflags)
tests_unit_test_metadata_LDADD = libtest-log.la $(unit_ldadd)

check_PROGRAMS += tests/unit/test-monitors
TESTS += tests/unit/test-monitors
tests_unit_test_monitors_SOURCES = tests/unit/test-monitors.c
tests_unit_test_monitors_CPPFLAGS = $(unit_cppflags)
tests_unit_test_monitors_CFLAGS = $(unit_cflags)
tests_unit_test_monitors_LDADD = libtest-log.la $(unit_ldadd)

check_PROGRAMS += tests/unit/test-selection
TESTS += tests/unit/test-selection
tests_unit_test_selection_SOURCES = tests/unit/test-selection.c
tests_unit_test_selection_CPPFLAGS = $(unit_cppflags)
tests_unit_test_selection_CFLAGS = $(unit_cflags)
tests_unit_test_selection_LDADD = $(unit_ldadd)

check_PROGRAMS += tests/unit/test-short-options
TESTS += tests/unit/test-short-options
tests_unit_test_short_options_SOURCES = tests/unit/test-short-options.c decoder/cli/short-options.c
tests_unit_test_short_options_CPPFLAGS = $(unit_cppflags)
tests_unit_test_short_options_CFLAGS = $(unit_cflags)
tests_unit_test_short_options_LDADD = $(CMOCKA_LIBS) $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-progress
TESTS += tests/unit/test-progress
tests_unit_test_progress_SOURCES = tests/unit/test-progress.c decoder/cli/progress.c
tests_unit_test_progress_CPPFLAGS = $(unit_cppflags)
tests_unit_test_progress_CFLAGS = $(unit_cflags)
tests_unit_test_progress_LDADD = $(CMOCKA_LIBS) $(GLIB_LIBS)

check_PROGRAMS += tests/unit/test-table
TESTS += tests/unit/test-table
tests_unit_test_table_SOURCES = tests/unit/test-table.c
tests_unit_test_table_CPPFLAGS = $(unit_cppflags)
tests_unit_test_table_CFLAGS = $(unit_cflags)
tests_unit_test_table_LDADD = libtest-log.la $(unit_ldadd)

check_PROGRAMS += tests/unit/test-report
TESTS += tests/unit/test-report
tests_unit_test_report_SOURCES = tests/unit/test-report.c
tests_unit_test_report_CPPFLAGS = $(unit_cppflags)
tests_unit_test_report_CFLAGS = $(unit_cflags)
tests_unit_test_report_LDADD = libtest-log.la $(unit_ldadd)

check_PROGRAMS += tests/unit/test-symbols
TESTS += tests/unit/test-symbols
tests_unit_test_symbols_SOURCES = tests/unit/test-symbols.c
tests_unit_test_symbols_CPPFLAGS = $(unit_cppflags)
tests_unit_test_symbols_CFLAGS = $(unit_cflags)
tests_unit_test_symbols_LDADD = libtest-log.la $(unit_ldadd)

check_PROGRAMS += tests/unit/test-threads
TESTS += tests/unit/test-threads
tests_unit_test_threads_SOURCES = tests/unit/test-threads.c
tests_unit_test_threads_CPPFLAGS = $(unit_cppflags)
tests_unit_test_threads_CFLAGS = $(unit_cflags)
tests_unit_test_threads_LDADD = libtest-log.la $(unit_ldadd)

check_PROGRAMS += tests/unit/test-traces
TESTS += tests/unit/test-traces
tests_unit_test_traces_SOURCES = tests/unit/test-traces.c
tests_unit_test_traces_CPPFLAGS = $(unit_cppflags)
tests_unit_test_traces_CFLAGS = $(unit_cflags)
tests_unit_test_traces_LDADD = $(unit_ldadd)

check_PROGRAMS += tests/unit/test-samples
TESTS += tests/unit/test-samples
tests_unit_test_samples_SOURCES = tests/unit/test-samples.c
tests_unit_test_samples_CPPFLAGS = $(unit_cppflags)
tests_unit_test_samples_CFLAGS = $(unit_cflags)
tests_unit_test_samples_LDADD = $(unit_ldadd)

check_PROGRAMS += tests/unit/test-counters
TESTS += tests/unit/test-counters
tests_unit_test_counters_SOURCES = tests/unit/test-counters.c
tests_unit_test_counters_CPPFLAGS = $(unit_cppflags)
tests_unit_test_counters_CFLAGS = $(unit_cflags)
tests_unit_test_counters_LDADD = $(unit_ldadd)

check_PROGRAMS += tests/unit/test-handles
TESTS += tests/unit/test-handles
tests_unit_test_handles_SOURCES = tests/unit/test-handles.c
tests_unit_test_handles_CPPFLAGS = $(unit_cppflags)
tests_unit_test_handles_CFLAGS = $(unit_cflags)
tests_unit_test_handles_LDADD = $(unit_ldadd)

check_PROGRAMS += tests/unit/test-finalizers
TESTS += tests/unit/test-finalizers
tests_unit_test_finalizers_SOURCES = tests/unit/test-finalizers.c
tests_unit_test_finalizers_CPPFLAGS = $(unit_cppflags)
tests_unit_test_finalizers_CFLAGS = $(unit_cflags)
tests_unit_test_finalizers_LDADD = $(unit_ldadd)

check_PROGRAMS += tests/unit/test-helpers
TESTS += tests/unit/test-helpers
tests_unit_test_helpers_SOURCES = tests/unit/test-helpers.c
tests_unit_test_helpers_CPPFLAGS = $(unit_cppflags)
tests_unit_test_helpers_CFLAGS = $(unit_cflags)
tests_unit_test_helpers_LDADD = $(unit_ldadd)

check_PROGRAMS += tests/unit/test-lives
TESTS += tests/unit/test-lives
tests_unit_test_lives_SOURCES = tests/unit/test-lives.c
tests_unit_test_lives_CPPFLAGS = $(unit_cppflags)
tests_unit_test_lives_CFLAGS = $(unit_cflags)
tests_unit_test_lives_LDADD = $(unit_ldadd)

check_PROGRAMS += tests/unit/test-coverage
TESTS += tests/unit/test-coverage
tests_unit_test_coverage_SOURCES = tests/unit/test-coverage.c
tests_unit_test_coverage_CPPFLAGS = $(unit_cppflags)
tests_unit_test_coverage_CFLAGS = $(unit_cflags)
tests_unit_test_coverage_LDADD = $(unit_ldadd)

check_PROGRAMS += tests/unit/test-roots
TESTS += tests/unit/test-roots
tests_unit_test_roots_SOURCES = tests/unit/test-roots.c
tests_unit_test_roots_CPPFLAGS = $(unit_cppflags)
tests_unit_test_roots_CFLAGS = $(unit_cflags)
tests_unit_test_roots_LDADD = $(unit_ldadd)

check_PROGRAMS += tests/unit/test-shot-references
TESTS += tests/unit/test-shot-references
tests_unit_test_shot_references_SOURCES = tests/unit/test-shot-references.c
tests_unit_test_shot_references_CPPFLAGS = $(unit_cppflags)
tests_unit_test_shot_references_CFLAGS = $(unit_cflags)
tests_unit_test_shot_references_LDADD = $(unit_ldadd)

check_PROGRAMS += tests/unit/test-runtime
TESTS += tests/unit/test-runtime
tests_unit_test_runtime_SOURCES = tests/unit/test-runtime.c
tests_unit_test_runtime_CPPFLAGS = $(unit_cppflags)
tests_unit_test_runtime_CFLAGS = $(unit_cflags)
tests_unit_test_runtime_LDADD = $(unit_ldadd)

check_PROGRAMS += tests/unit/test-report-runtime
TESTS += tests/unit/test-report-runtime
tests_unit_test_report_runtime_SOURCES = tests/unit/test-report-runtime.c
tests_unit_test_report_runtime_CPPFLAGS = $(unit_cppflags)
tests_unit_test_report_runtime_CFLAGS = $(unit_cflags)
tests_unit_test_report_runtime_LDADD = libtest-log.la $(unit_ldadd)

check_PROGRAMS += tests/unit/test-object-lives
TESTS += tests/unit/test-object-lives
tests_unit_test_object_lives_SOURCES = tests/unit/test-object-lives.c
tests_unit_test_object_lives_CPPFLAGS = $(unit_cppflags)
tests_unit_test_object_lives_CFLAGS = $(unit_cflags)
tests_unit_test_object_lives_LDADD = $(unit_ldadd)

check_PROGRAMS += tests/unit/test-object-search
TESTS += tests/unit/test-object-search
tests_unit_test_object_search_SOURCES = tests/unit/test-object-search.c
tests_unit_test_object_search_CPPFLAGS = $(unit_cppflags)
tests_unit_test_object_search_CFLAGS = $(unit_cflags)
tests_unit_test_object_search_LDADD = libtest-log.la $(unit_ldadd)

check_PROGRAMS += tests/unit/test-object-types
TESTS += tests/unit/test-object-types
tests_unit_test_object_types_SOURCES = tests/unit/test-object-types.c
tests_unit_test_object_types_CPPFLAGS = $(unit_cppflags)
tests_unit_test_object_types_CFLAGS = $(unit_cflags)
tests_unit_test_object_types_LDADD = libtest-log.la $(unit_ldadd)

check_PROGRAMS += tests/unit/test-summary
TESTS += tests/unit/test-summary
tests_unit_test_summary_SOURCES = tests/unit/test-summary.c
tests_unit_test_summary_CPPFLAGS = $(unit_cppflags)
tests_unit_test_summary_CFLAGS = $(unit_cflags)
tests_unit_test_summary_LDADD = libtest-log.la $(unit_ldadd)

check_PROGRAMS += tests/unit/test-log-check
TESTS += tests/unit/test-log-check
tests_unit_test_log_check_SOURCES = tests/unit/test-log-check.c
tests_unit_test_log_check_CPPFLAGS = $(unit_cppflags)
tests_unit_test_log_check_CFLAGS = $(unit_cflags)
tests_unit_test_log_check_LDADD = libtest-log.la $(unit_ldadd)

# The same for eventlogs.
check_LTLIBRARIES += libtest-ghc.la
libtest_ghc_la_SOURCES = tests/unit/ghc-items.c tests/unit/ghc-items.h
libtest_ghc_la_CPPFLAGS = $(unit_cppflags)
libtest_ghc_la_CFLAGS = $(unit_cflags)

check_PROGRAMS += tests/unit/test-ghc-cases
TESTS += tests/unit/test-ghc-cases
EXTRA_DIST += tests/ghc-cases/README tests/ghc-cases/events.case
tests_unit_test_ghc_cases_SOURCES = tests/unit/test-ghc-cases.c
tests_unit_test_ghc_cases_CPPFLAGS = $(unit_cppflags)
tests_unit_test_ghc_cases_CFLAGS = $(unit_cflags)
tests_unit_test_ghc_cases_LDADD = libtest-ghc.la $(unit_ldadd)

check_PROGRAMS += tests/unit/test-ghc-show
TESTS += tests/unit/test-ghc-show
tests_unit_test_ghc_show_SOURCES = tests/unit/test-ghc-show.c
tests_unit_test_ghc_show_CPPFLAGS = $(unit_cppflags)
tests_unit_test_ghc_show_CFLAGS = $(unit_cflags)
tests_unit_test_ghc_show_LDADD = libtest-ghc.la $(unit_ldadd)

check_PROGRAMS += tests/unit/test-ghc-order
TESTS += tests/unit/test-ghc-order
tests_unit_test_ghc_order_SOURCES = tests/unit/test-ghc-order.c
tests_unit_test_ghc_order_CPPFLAGS = $(unit_cppflags)
tests_unit_test_ghc_order_CFLAGS = $(unit_cflags)
tests_unit_test_ghc_order_LDADD = libtest-ghc.la $(unit_ldadd)

check_PROGRAMS += tests/unit/test-ghc-reader
TESTS += tests/unit/test-ghc-reader
tests_unit_test_ghc_reader_SOURCES = tests/unit/test-ghc-reader.c
tests_unit_test_ghc_reader_CPPFLAGS = $(unit_cppflags)
tests_unit_test_ghc_reader_CFLAGS = $(unit_cflags)
tests_unit_test_ghc_reader_LDADD = libtest-ghc.la $(unit_ldadd)

check_PROGRAMS += tests/unit/test-ghc-writer
TESTS += tests/unit/test-ghc-writer
tests_unit_test_ghc_writer_SOURCES = tests/unit/test-ghc-writer.c
tests_unit_test_ghc_writer_CPPFLAGS = $(unit_cppflags)
tests_unit_test_ghc_writer_CFLAGS = $(unit_cflags)
tests_unit_test_ghc_writer_LDADD = $(unit_ldadd)

check_PROGRAMS += tests/unit/test-ghc-threads
TESTS += tests/unit/test-ghc-threads
tests_unit_test_ghc_threads_SOURCES = tests/unit/test-ghc-threads.c tests/unit/ghc-events.h
tests_unit_test_ghc_threads_CPPFLAGS = $(unit_cppflags)
tests_unit_test_ghc_threads_CFLAGS = $(unit_cflags)
tests_unit_test_ghc_threads_LDADD = $(unit_ldadd)

check_PROGRAMS += tests/unit/test-ghc-validator
TESTS += tests/unit/test-ghc-validator
tests_unit_test_ghc_validator_SOURCES = tests/unit/test-ghc-validator.c tests/unit/ghc-events.h
tests_unit_test_ghc_validator_CPPFLAGS = $(unit_cppflags)
tests_unit_test_ghc_validator_CFLAGS = $(unit_cflags)
tests_unit_test_ghc_validator_LDADD = $(unit_ldadd)

check_PROGRAMS += tests/unit/test-ghc-heap-profile
TESTS += tests/unit/test-ghc-heap-profile
tests_unit_test_ghc_heap_profile_SOURCES = tests/unit/test-ghc-heap-profile.c tests/unit/ghc-events.h
tests_unit_test_ghc_heap_profile_CPPFLAGS = $(unit_cppflags)
tests_unit_test_ghc_heap_profile_CFLAGS = $(unit_cflags)
tests_unit_test_ghc_heap_profile_LDADD = $(unit_ldadd)

check_PROGRAMS += tests/unit/test-ghc-time-profile
TESTS += tests/unit/test-ghc-time-profile
tests_unit_test_ghc_time_profile_SOURCES = tests/unit/test-ghc-time-profile.c tests/unit/ghc-events.h
tests_unit_test_ghc_time_profile_CPPFLAGS = $(unit_cppflags)
tests_unit_test_ghc_time_profile_CFLAGS = $(unit_cflags)
tests_unit_test_ghc_time_profile_LDADD = $(unit_ldadd)

check_PROGRAMS += tests/unit/test-ghc-pauses
TESTS += tests/unit/test-ghc-pauses
tests_unit_test_ghc_pauses_SOURCES = tests/unit/test-ghc-pauses.c
tests_unit_test_ghc_pauses_CPPFLAGS = $(unit_cppflags)
tests_unit_test_ghc_pauses_CFLAGS = $(unit_cflags)
tests_unit_test_ghc_pauses_LDADD = $(unit_ldadd)

check_PROGRAMS += tests/unit/test-ghc-summary
TESTS += tests/unit/test-ghc-summary
tests_unit_test_ghc_summary_SOURCES = tests/unit/test-ghc-summary.c
tests_unit_test_ghc_summary_CPPFLAGS = $(unit_cppflags)
tests_unit_test_ghc_summary_CFLAGS = $(unit_cflags)
tests_unit_test_ghc_summary_LDADD = libtest-ghc.la $(unit_ldadd)

check_PROGRAMS += tests/unit/test-ghc-merge
TESTS += tests/unit/test-ghc-merge
tests_unit_test_ghc_merge_SOURCES = tests/unit/test-ghc-merge.c
tests_unit_test_ghc_merge_CPPFLAGS = $(unit_cppflags)
tests_unit_test_ghc_merge_CFLAGS = $(unit_cflags)
tests_unit_test_ghc_merge_LDADD = libtest-ghc.la $(unit_ldadd)

check_PROGRAMS += tests/unit/test-ghc-log-check
TESTS += tests/unit/test-ghc-log-check
tests_unit_test_ghc_log_check_SOURCES = tests/unit/test-ghc-log-check.c
tests_unit_test_ghc_log_check_CPPFLAGS = $(unit_cppflags)
tests_unit_test_ghc_log_check_CFLAGS = $(unit_cflags)
tests_unit_test_ghc_log_check_LDADD = libtest-ghc.la $(unit_ldadd)

check_PROGRAMS += tests/unit/test-spool-reader
TESTS += tests/unit/test-spool-reader
tests_unit_test_spool_reader_SOURCES = tests/unit/test-spool-reader.c
tests_unit_test_spool_reader_CPPFLAGS = $(unit_cppflags)
tests_unit_test_spool_reader_CFLAGS = $(unit_cflags)
tests_unit_test_spool_reader_LDADD = $(unit_ldadd)

check_PROGRAMS += tests/unit/test-line-merge
TESTS += tests/unit/test-line-merge
tests_unit_test_line_merge_SOURCES = tests/unit/test-line-merge.c
tests_unit_test_line_merge_CPPFLAGS = $(unit_cppflags)
tests_unit_test_line_merge_CFLAGS = $(unit_cflags)
tests_unit_test_line_merge_LDADD = $(unit_ldadd)

check_PROGRAMS += tests/unit/test-mlpd-order
TESTS += tests/unit/test-mlpd-order
tests_unit_test_mlpd_order_SOURCES = tests/unit/test-mlpd-order.c
tests_unit_test_mlpd_order_CPPFLAGS = $(unit_cppflags)
tests_unit_test_mlpd_order_CFLAGS = $(unit_cflags)
tests_unit_test_mlpd_order_LDADD = libtest-log.la $(unit_ldadd)

check_PROGRAMS += tests/unit/test-heap-dominators
TESTS += tests/unit/test-heap-dominators
tests_unit_test_heap_dominators_SOURCES = tests/unit/test-heap-dominators.c
tests_unit_test_heap_dominators_CPPFLAGS = $(unit_cppflags)
tests_unit_test_heap_dominators_CFLAGS = $(unit_cflags)
tests_unit_test_heap_dominators_LDADD = libtest-log.la $(unit_ldadd)

check_PROGRAMS += tests/unit/test-heap-graph
TESTS += tests/unit/test-heap-graph
tests_unit_test_heap_graph_SOURCES = tests/unit/test-heap-graph.c
tests_unit_test_heap_graph_CPPFLAGS = $(unit_cppflags)
tests_unit_test_heap_graph_CFLAGS = $(unit_cflags)
tests_unit_test_heap_graph_LDADD = libtest-log.la $(unit_ldadd)

check_PROGRAMS += tests/unit/test-live-feed
TESTS += tests/unit/test-live-feed
tests_unit_test_live_feed_SOURCES = tests/unit/test-live-feed.c
tests_unit_test_live_feed_CPPFLAGS = $(unit_cppflags)
tests_unit_test_live_feed_CFLAGS = $(unit_cflags)
tests_unit_test_live_feed_LDADD = $(unit_ldadd)

check_PROGRAMS += tests/unit/test-live-model
TESTS += tests/unit/test-live-model
tests_unit_test_live_model_SOURCES = tests/unit/test-live-model.c
tests_unit_test_live_model_CPPFLAGS = $(unit_cppflags)
tests_unit_test_live_model_CFLAGS = $(unit_cflags)
tests_unit_test_live_model_LDADD = $(unit_ldadd)

check_PROGRAMS += tests/unit/test-live-order
TESTS += tests/unit/test-live-order
tests_unit_test_live_order_SOURCES = tests/unit/test-live-order.c
tests_unit_test_live_order_CPPFLAGS = $(unit_cppflags)
tests_unit_test_live_order_CFLAGS = $(unit_cflags)
tests_unit_test_live_order_LDADD = $(unit_ldadd)

check_PROGRAMS += tests/unit/test-heap-parts
TESTS += tests/unit/test-heap-parts
tests_unit_test_heap_parts_SOURCES = tests/unit/test-heap-parts.c
tests_unit_test_heap_parts_CPPFLAGS = $(unit_cppflags)
tests_unit_test_heap_parts_CFLAGS = $(unit_cflags)
tests_unit_test_heap_parts_LDADD = $(unit_ldadd)

check_PROGRAMS += tests/unit/test-heap-paths
TESTS += tests/unit/test-heap-paths
tests_unit_test_heap_paths_SOURCES = tests/unit/test-heap-paths.c
tests_unit_test_heap_paths_CPPFLAGS = $(unit_cppflags)
tests_unit_test_heap_paths_CFLAGS = $(unit_cflags)
tests_unit_test_heap_paths_LDADD = $(unit_ldadd)

check_PROGRAMS += tests/unit/test-heap-changes
TESTS += tests/unit/test-heap-changes
tests_unit_test_heap_changes_SOURCES = tests/unit/test-heap-changes.c
tests_unit_test_heap_changes_CPPFLAGS = $(unit_cppflags)
tests_unit_test_heap_changes_CFLAGS = $(unit_cflags)
tests_unit_test_heap_changes_LDADD = libtest-log.la $(unit_ldadd)

check_PROGRAMS += tests/unit/test-live-print
TESTS += tests/unit/test-live-print
tests_unit_test_live_print_SOURCES = tests/unit/test-live-print.c
tests_unit_test_live_print_CPPFLAGS = $(unit_cppflags)
tests_unit_test_live_print_CFLAGS = $(unit_cflags)
tests_unit_test_live_print_LDADD = $(unit_ldadd)

# The server is in the command alone.
check_PROGRAMS += tests/unit/test-frames
TESTS += tests/unit/test-frames
tests_unit_test_frames_SOURCES = tests/unit/test-frames.c decoder/serve/frames.c
tests_unit_test_frames_CPPFLAGS = $(unit_cppflags)
tests_unit_test_frames_CFLAGS = $(unit_cflags)
tests_unit_test_frames_LDADD = $(unit_ldadd)

check_PROGRAMS += tests/unit/test-http-guard
TESTS += tests/unit/test-http-guard
tests_unit_test_http_guard_SOURCES = tests/unit/test-http-guard.c decoder/serve/http-guard.c
tests_unit_test_http_guard_CPPFLAGS = $(unit_cppflags)
tests_unit_test_http_guard_CFLAGS = $(unit_cflags)
tests_unit_test_http_guard_LDADD = $(unit_ldadd)
