# GHC programs that are watched while they run.  Haskell programs have no sanitizer.
check_PROGRAMS += tests/ghc-live/read-socket

if SANITIZED
TESTS += tests/ghc-live/test-ghc-newer.sh
else
TESTS += $(ghc_live_tests)
endif

if HAVE_CMOCKA
check_PROGRAMS += tests/ghc-live/test-ghc-program
TESTS += tests/ghc-live/test-ghc-program
endif
tests_ghc_live_test_ghc_program_SOURCES = tests/ghc-live/test-ghc-program.c
tests_ghc_live_test_ghc_program_CPPFLAGS = $(unit_cppflags)
tests_ghc_live_test_ghc_program_CFLAGS = $(unit_cflags)
tests_ghc_live_test_ghc_program_LDADD = libproflog-ghc.la libproflog-eventlog.la $(unit_ldadd)

# The main function of GHC programs, as newer compilers would compile it.
check_PROGRAMS += tests/ghc-live/newer-runtime
tests_ghc_live_newer_runtime_SOURCES = haskell/proflog-main.c tests/ghc-live/newer-runtime.c \
	tests/ghc-live/newer/Rts.h
tests_ghc_live_newer_runtime_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests/ghc-live/newer \
	-D__GLASGOW_HASKELL__=902
tests_ghc_live_newer_runtime_LDADD = libproflog-ghc.la libproflog-eventlog.la
