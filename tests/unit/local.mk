# cmocka tests, a file each: test-NAME.c tests NAME.c.
unit_cppflags = $(AM_CPPFLAGS) -DG_LOG_DOMAIN=\"test\"
unit_cflags = $(AM_CFLAGS) $(GLIB_CFLAGS) $(CMOCKA_CFLAGS)
unit_ldadd = libproflog-internal.la $(CMOCKA_LIBS) $(GLIB_LIBS)

# A misuse of GLib fails the test.
AM_TESTS_ENVIRONMENT += G_DEBUG=fatal-criticals; export G_DEBUG;

# What several tests share: reading a log from memory and writing down its items.
check_LTLIBRARIES += libtest-log.la
libtest_log_la_SOURCES = tests/unit/log-items.c tests/unit/log-items.h
libtest_log_la_CPPFLAGS = $(unit_cppflags)
libtest_log_la_CFLAGS = $(unit_cflags)

check_PROGRAMS += tests/unit/test-cases
TESTS += tests/unit/test-cases
EXTRA_DIST += \
	tests/cases/README \
	tests/cases/alloc.case \
	tests/cases/damage.case \
	tests/cases/exception.case \
	tests/cases/gc.case \
	tests/cases/header.case \
	tests/cases/heap.case \
	tests/cases/metadata.case \
	tests/cases/method.case \
	tests/cases/monitor.case
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
tests_unit_test_log_input_CFLAGS = $(unit_cflags) $(ZLIB_CFLAGS)
tests_unit_test_log_input_LDADD = $(unit_ldadd) $(ZLIB_LIBS)

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
