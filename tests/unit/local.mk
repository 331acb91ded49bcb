# cmocka tests, a file each: test-NAME.c tests NAME.c.
unit_cppflags = $(AM_CPPFLAGS) -DG_LOG_DOMAIN=\"test\"
unit_cflags = $(AM_CFLAGS) $(GLIB_CFLAGS) $(CMOCKA_CFLAGS)
unit_ldadd = libproflog-internal.la $(CMOCKA_LIBS) $(GLIB_LIBS)

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
