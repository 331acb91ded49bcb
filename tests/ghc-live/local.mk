# GHC programs that are watched while they run.  Haskell programs have no sanitizer.
check_PROGRAMS += tests/ghc-live/read-socket
tests_ghc_live_read_socket_SOURCES = tests/ghc-live/read-socket.c

EXTRA_DIST += tests/ghc-live/Flood.hs tests/ghc-live/Fork.hs tests/ghc-live/Steps.hs \
	tests/ghc-live/test-ghc-follow.sh tests/ghc-live/test-ghc-live.sh
if !SANITIZED
TESTS += tests/ghc-live/test-ghc-follow.sh tests/ghc-live/test-ghc-live.sh
endif

check_PROGRAMS += tests/ghc-live/test-ghc-program
TESTS += tests/ghc-live/test-ghc-program
tests_ghc_live_test_ghc_program_SOURCES = tests/ghc-live/test-ghc-program.c
tests_ghc_live_test_ghc_program_CPPFLAGS = $(unit_cppflags)
tests_ghc_live_test_ghc_program_CFLAGS = $(unit_cflags)
tests_ghc_live_test_ghc_program_LDADD = libproflog-ghc.la libproflog-eventlog.la $(unit_ldadd)

# The main function of GHC programs, as newer compilers would compile it.
check_PROGRAMS += tests/ghc-live/newer-runtime
TESTS += tests/ghc-live/test-ghc-newer.sh
EXTRA_DIST += tests/ghc-live/test-ghc-newer.sh
tests_ghc_live_newer_runtime_SOURCES = haskell/proflog-main.c tests/ghc-live/newer-runtime.c \
	tests/ghc-live/newer/Rts.h
tests_ghc_live_newer_runtime_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests/ghc-live/newer \
	-D__GLASGOW_HASKELL__=902
tests_ghc_live_newer_runtime_LDADD = libproflog-ghc.la libproflog-eventlog.la
