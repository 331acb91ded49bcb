# Properties over random input.
check_LTLIBRARIES += libtest-random.la
libtest_random_la_SOURCES = tests/prop/random-events.c tests/prop/random-events.h \
	tests/prop/random-calls.c tests/prop/random-calls.h
libtest_random_la_CPPFLAGS = $(unit_cppflags)
libtest_random_la_CFLAGS = $(unit_cflags)

check_PROGRAMS += tests/prop/test-mlpd-roundtrip
TESTS += tests/prop/test-mlpd-roundtrip
tests_prop_test_mlpd_roundtrip_SOURCES = tests/prop/test-mlpd-roundtrip.c
tests_prop_test_mlpd_roundtrip_CPPFLAGS = $(unit_cppflags)
tests_prop_test_mlpd_roundtrip_CFLAGS = $(unit_cflags)
tests_prop_test_mlpd_roundtrip_LDADD = libtest-random.la libtest-log.la $(unit_ldadd)

check_PROGRAMS += tests/prop/test-mlpd-walk
TESTS += tests/prop/test-mlpd-walk
tests_prop_test_mlpd_walk_SOURCES = tests/prop/test-mlpd-walk.c
tests_prop_test_mlpd_walk_CPPFLAGS = $(unit_cppflags)
tests_prop_test_mlpd_walk_CFLAGS = $(unit_cflags)
tests_prop_test_mlpd_walk_LDADD = libtest-random.la libtest-log.la $(unit_ldadd)

# Slow with sanitizers: it reads every log of tests/logs some dozen times.
check_PROGRAMS += tests/prop/test-log-scan
TESTS += tests/prop/test-log-scan
tests_prop_test_log_scan_SOURCES = tests/prop/test-log-scan.c
tests_prop_test_log_scan_CPPFLAGS = $(unit_cppflags)
tests_prop_test_log_scan_CFLAGS = $(unit_cflags) $(ZLIB_CFLAGS)
tests_prop_test_log_scan_LDADD = libtest-random.la libtest-log.la $(unit_ldadd) $(ZLIB_LIBS)

check_PROGRAMS += tests/prop/test-ghc-roundtrip
TESTS += tests/prop/test-ghc-roundtrip
tests_prop_test_ghc_roundtrip_SOURCES = tests/prop/test-ghc-roundtrip.c tests/prop/random-ghc.c \
	tests/prop/random-ghc.h
tests_prop_test_ghc_roundtrip_CPPFLAGS = $(unit_cppflags)
tests_prop_test_ghc_roundtrip_CFLAGS = $(unit_cflags)
tests_prop_test_ghc_roundtrip_LDADD = libtest-ghc.la $(unit_ldadd)

# Damaged eventlogs.
check_PROGRAMS += tests/prop/test-ghc-damage
TESTS += tests/prop/test-ghc-damage
tests_prop_test_ghc_damage_SOURCES = tests/prop/test-ghc-damage.c
tests_prop_test_ghc_damage_CPPFLAGS = $(unit_cppflags)
tests_prop_test_ghc_damage_CFLAGS = $(unit_cflags) $(ZLIB_CFLAGS)
tests_prop_test_ghc_damage_LDADD = $(unit_ldadd) $(ZLIB_LIBS)
