# Haskell modules for libproflog-eventlog, and the main function of programs with libproflog-ghc: sources
# for the user's compiler, which together are a Cabal package.
haskelldir = $(datadir)/proflog/haskell/Proflog
dist_haskell_DATA = haskell/Proflog/EventlogEvents.hsc haskell/Proflog/EventlogWriter.hsc \
	haskell/Proflog/Program.hs haskell/Proflog/Span.hs
haskellmaindir = $(datadir)/proflog/haskell
dist_haskellmain_DATA = haskell/Setup.hs haskell/proflog-main.c
nodist_haskellmain_DATA = haskell/proflog.cabal

check_PROGRAMS += haskell/print-eventlog-events
haskell_print_eventlog_events_SOURCES = haskell/print-eventlog-events.c
haskell_print_eventlog_events_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
haskell_print_eventlog_events_LDADD = libproflog-internal.la $(GLIB_LIBS)
