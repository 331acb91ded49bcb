# GHC programs that are watched while they run.  Haskell programs have no sanitizer.
check_PROGRAMS += tests/ghc-live/read-socket

if SANITIZED
TESTS += tests/ghc-live/test-ghc-newer.sh
else
TESTS += $(ghc_live_tests)
endif

if HAVE_CMOCKA
check_PROGRAMS += tests/ghc-live/test-ghc-program tests/ghc-live/test-ghc-options \
	tests/ghc-live/test-ghc-stream tests/ghc-live/test-ghc-destination
TESTS += tests/ghc-live/test-ghc-program tests/ghc-live/test-ghc-options \
	tests/ghc-live/test-ghc-stream tests/ghc-live/test-ghc-destination
endif
tests_ghc_live_test_ghc_destination_SOURCES = tests/ghc-live/test-ghc-destination.c \
	ghc/ghc-destination.c
tests_ghc_live_test_ghc_destination_CPPFLAGS = $(unit_cppflags)
tests_ghc_live_test_ghc_destination_CFLAGS = $(unit_cflags)
tests_ghc_live_test_ghc_destination_LDADD = $(unit_ldadd)

tests_ghc_live_test_ghc_stream_SOURCES = tests/ghc-live/test-ghc-stream.c ghc/ghc-stream.c \
	eventlog/event-memory.c eventlog/eventlog-classes.c eventlog/eventlog-kinds.c
tests_ghc_live_test_ghc_stream_CPPFLAGS = $(unit_cppflags)
tests_ghc_live_test_ghc_stream_CFLAGS = $(unit_cflags)
tests_ghc_live_test_ghc_stream_LDADD = $(unit_ldadd)

tests_ghc_live_test_ghc_options_SOURCES = tests/ghc-live/test-ghc-options.c ghc/ghc-options.c
tests_ghc_live_test_ghc_options_CPPFLAGS = $(unit_cppflags)
tests_ghc_live_test_ghc_options_CFLAGS = $(unit_cflags)
tests_ghc_live_test_ghc_options_LDADD = libproflog-eventlog.la $(unit_ldadd)

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
