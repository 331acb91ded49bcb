# Anything through the readers; see the files' heads for real fuzzing.
check_PROGRAMS += tests/fuzz/fuzz-mlpd-reader
TESTS += tests/fuzz/fuzz-mlpd-reader
tests_fuzz_fuzz_mlpd_reader_CPPFLAGS = $(unit_cppflags)
tests_fuzz_fuzz_mlpd_reader_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
tests_fuzz_fuzz_mlpd_reader_LDADD = libproflog-internal.la $(GLIB_LIBS)
