# Any bytes into all that reads bytes: a program for each target (fuzz.h).  `make check` replays the corpora and
# some thousand changes of them; `make fuzz` goes on for as long as it is requested (run-fuzz).
if HAVE_CMOCKA
check_LTLIBRARIES += libfuzz.la
check_PROGRAMS += $(fuzz_programs) tests/fuzz/make-corpus
TESTS += $(fuzz_programs)
endif
EXTRA_DIST += tests/fuzz/run-fuzz

# `make fuzz` sets these for clang's libFuzzer, which has a main function of its own.
FUZZ_CPPFLAGS =
FUZZ_LINK =
fuzz_cppflags = $(unit_cppflags) $(FUZZ_CPPFLAGS)
fuzz_link = $(AM_LDFLAGS) $(FUZZ_LINK)
fuzz_ldadd = libfuzz.la $(unit_ldadd)

libfuzz_la_SOURCES = tests/fuzz/driver.c tests/fuzz/fuzz.h
libfuzz_la_CPPFLAGS = $(fuzz_cppflags)
libfuzz_la_CFLAGS = $(unit_cflags)

mutate_mlpd = tests/fuzz/mutate-mlpd.c
tests_fuzz_fuzz_mlpd_reader_SOURCES = tests/fuzz/fuzz-mlpd-reader.c $(mutate_mlpd)
tests_fuzz_fuzz_mlpd_report_SOURCES = tests/fuzz/fuzz-mlpd-report.c tests/fuzz/fuzz-summary.h $(mutate_mlpd)
tests_fuzz_fuzz_mlpd_heap_SOURCES = tests/fuzz/fuzz-mlpd-heap.c tests/fuzz/fuzz-summary.h $(mutate_mlpd)
tests_fuzz_fuzz_mlpd_writer_SOURCES = tests/fuzz/fuzz-mlpd-writer.c $(mutate_mlpd)
mutate_ghc = tests/fuzz/mutate-ghc.c
tests_fuzz_fuzz_ghc_reader_SOURCES = tests/fuzz/fuzz-ghc-reader.c $(mutate_ghc)
tests_fuzz_fuzz_ghc_report_SOURCES = tests/fuzz/fuzz-ghc-report.c $(mutate_ghc)
tests_fuzz_fuzz_ghc_writer_SOURCES = tests/fuzz/fuzz-ghc-writer.c $(mutate_ghc)

# Parts that are in no library.
tests_fuzz_fuzz_options_module_SOURCES = tests/fuzz/fuzz-options-module.c profiler/options/options.c \
	profiler/options/callspec.c profiler/options/event-classes.c
tests_fuzz_fuzz_http_guard_SOURCES = tests/fuzz/fuzz-http-guard.c decoder/serve/http-guard.c
tests_fuzz_fuzz_sql_statements_SOURCES = tests/fuzz/fuzz-sql-statements.c
if HAVE_SQLITE
tests_fuzz_fuzz_sql_statements_SOURCES += decoder/query/query.c decoder/query/query.h decoder/query/query-watch.c decoder/query/query-watch.h decoder/query/query-rows.c \
	decoder/query/query-outputs.h $(sql_sources)
endif

tests_fuzz_make_corpus_CPPFLAGS = $(unit_cppflags)
tests_fuzz_make_corpus_CFLAGS = $(unit_cflags)
tests_fuzz_make_corpus_LDADD = $(unit_ldadd)

# FUZZ_TIME: seconds for each target; or FUZZ_RUNS: how often each runs.  FUZZ_TARGETS: some of them.
fuzz: $(BUILT_SOURCES)
	FUZZ_TARGETS="$(FUZZ_TARGETS)" FUZZ_TIME="$(FUZZ_TIME)" FUZZ_RUNS="$(FUZZ_RUNS)" FUZZ_ENGINE="$(FUZZ_ENGINE)" FUZZ_SEED="$(FUZZ_SEED)" MAKE="$(MAKE)" \
	  $(srcdir)/tests/fuzz/run-fuzz $(fuzz_programs)
regenerate-corpus: tests/fuzz/make-corpus tests/logs/make-all
	tests/fuzz/make-corpus $(srcdir)/tests/fuzz/corpus
	for v in 1 2 6 12 13 14 17; do \
	  tests/logs/make-all $$v > $(srcdir)/tests/fuzz/corpus/mlpd/all-v$$v.in || exit 1; \
	done
	tests/logs/make-all 17 4 > $(srcdir)/tests/fuzz/corpus/mlpd/all-v17-32.in
	tests/logs/make-small > $(srcdir)/tests/fuzz/corpus/mlpd/small.in
.PHONY: fuzz regenerate-corpus
