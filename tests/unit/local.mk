# cmocka tests: test-NAME.c tests NAME.c.  scripts/list-sources finds these files, and
# those of tests/prop, which check properties over random input.
unit_cppflags = $(AM_CPPFLAGS) -DG_LOG_DOMAIN=\"test\"
unit_cflags = $(AM_CFLAGS) $(GLIB_CFLAGS) $(ZLIB_CFLAGS) $(ZSTD_CFLAGS) $(CMOCKA_CFLAGS) -pthread
unit_ldadd = libtest.la libproflog-command.la libproflog-internal.la libproflog-agent.la \
	$(CMOCKA_LIBS) $(GLIB_LIBS) $(ZLIB_LIBS) $(ZSTD_LIBS)

# A misuse of GLib fails the test.
AM_TESTS_ENVIRONMENT += G_DEBUG=fatal-criticals; export G_DEBUG;
# GLib before 2.76 hands memory from thread to thread behind locks that sanitizers do not see.
AM_TESTS_ENVIRONMENT += G_SLICE=always-malloc; export G_SLICE;

# What several tests share.
libtest_la_SOURCES = $(test_library_sources)
libtest_la_CPPFLAGS = $(unit_cppflags)
libtest_la_CFLAGS = $(unit_cflags)

if HAVE_CMOCKA
check_LTLIBRARIES += libtest.la
check_PROGRAMS += $(cmocka_tests)
TESTS += $(cmocka_tests)
else
TESTS += tests/unit/without-cmocka.sh
endif

# These test a file of the module, of the server or of what programs are linked with: unit_ldadd has none of them.
tests_unit_test_frames_SOURCES = tests/unit/test-frames.c decoder/serve/frames.c
tests_unit_test_http_guard_SOURCES = tests/unit/test-http-guard.c decoder/serve/http-guard.c
tests_unit_test_push_queue_SOURCES = tests/unit/test-push-queue.c decoder/push/push-queue.c
tests_unit_test_elf_symbols_SOURCES = tests/unit/test-elf-symbols.c profiler/os/elf-symbols.c
tests_unit_test_sampling_SOURCES = tests/unit/test-sampling.c profiler/options/sampling.c
tests_unit_test_object_ring_SOURCES = tests/unit/test-object-ring.c profiler/record/object-ring.c
tests_unit_test_quiet_child_SOURCES = tests/unit/test-quiet-child.c profiler/os/quiet-child.c
tests_unit_test_frame_code_SOURCES = tests/unit/test-frame-code.c profiler/mono/frame-code.c
tests_unit_test_address_table_SOURCES = tests/unit/test-address-table.c profiler/os/address-table.c
tests_unit_test_thread_wait_SOURCES = tests/unit/test-thread-wait.c profiler/os/thread-wait.c
tests_unit_test_native_frame_SOURCES = tests/unit/test-native-frame.c profiler/os/native-frame.c profiler/os/thread-wait.c
tests_unit_test_code_file_SOURCES = tests/unit/test-code-file.c profiler/os/code-file.c
tests_unit_test_jit_dump_SOURCES = tests/unit/test-jit-dump.c profiler/os/jit-dump.c profiler/os/code-file.c
tests_unit_test_shared_pages_SOURCES = tests/unit/test-shared-pages.c profiler/os/shared-pages.c
