dist_doc_DATA += \
	docs/reading-pictures.md \
	docs/architecture.md \
	docs/ci.md \
	docs/cli.md \
	docs/comparison.md \
	docs/compatibility.md \
	docs/containers.md \
	docs/decisions.md \
	docs/differences-from-mprof-report.md \
	docs/fast-loops.md \
	docs/grafana-dashboard.json \
	docs/fleet.md \
	docs/from-dotnet.md \
	docs/from-ghc-events.md \
	docs/from-mprof-report.md \
	docs/from-perf.md \
	docs/from-threadscope.md \
	docs/ghc-events.md \
	docs/ghc-format.md \
	docs/haskell.md \
	docs/heap.md \
	docs/json.md \
	docs/library.md \
	docs/limits.md \
	docs/live.md \
	docs/mlpd-events.md \
	docs/mlpd-format.md \
	docs/module.md \
	docs/packages.md \
	docs/platforms.md \
	docs/production.md \
	docs/queries.md \
	docs/reliability.md \
	docs/requests.md \
	docs/security.md \
	docs/usage.md \
	docs/writing-logs.md
picturesdir = $(docdir)/pictures
dist_pictures_DATA = \
	docs/pictures/eventlog.png \
	docs/pictures/flame.png \
	docs/pictures/report.png \
	docs/pictures/tutorial-haskell.png \
	docs/pictures/tutorial-locks.png \
	docs/pictures/tutorial-slow.png
# query and replay are programs of their own; a line of dump has fields of each event.
schemasdir = $(docdir)/schemas
dist_schemas_DATA = $(made_schemas) docs/schemas/dump-line.json docs/schemas/query-1.json docs/schemas/replay-1.json
# The event lists for programs.
formatsdir = $(docdir)/formats
dist_formats_DATA = docs/formats/ghc-eventlog.json docs/formats/mlpd.json
dist_man1_MANS = $(man1_pages)
dist_man3_MANS = docs/proflog-eventlog.3
dist_man5_MANS = docs/man/ghc-eventlog.5 docs/man/mlpd.5
dist_man7_MANS = docs/proflog-ghc.7 docs/man/proflog-module.7

# Made, and in no repository: tables of the event lists, pages of the tables of commands and options, schemas of what
# commands print.  `make` makes them once, `make update-docs` makes them anew; archives have them.
made_schemas = \
	docs/schemas/check-1.json \
	docs/schemas/diff-1.json \
	docs/schemas/doctor-1.json \
	docs/schemas/heap-collections-1.json \
	docs/schemas/heap-diff-1.json \
	docs/schemas/heap-dominators-1.json \
	docs/schemas/heap-growth-1.json \
	docs/schemas/heap-histogram-1.json \
	docs/schemas/heap-leaks-1.json \
	docs/schemas/heap-list-1.json \
	docs/schemas/heap-object-1.json \
	docs/schemas/heap-paths-1.json \
	docs/schemas/heap-refs-1.json \
	docs/schemas/heap-strings-1.json \
	docs/schemas/heap-tasks-1.json \
	docs/schemas/heap-unreachable-1.json \
	docs/schemas/heatmap-1.json \
	docs/schemas/info-1.json \
	docs/schemas/joint-1.json \
	docs/schemas/report-1.json \
	docs/schemas/stacks-1.json \
	docs/schemas/stats-1.json \
	docs/schemas/sums-1.json \
	docs/schemas/top-line.json \
	docs/schemas/validate-1.json
made_docs = docs/cli.md docs/formats/ghc-eventlog.json docs/formats/mlpd.json docs/ghc-events.md docs/json.md docs/mlpd-events.md haskell/Proflog/EventlogEvents.hsc \
	$(made_schemas) $(man1_pages) docs/man/ghc-eventlog.5 docs/man/mlpd.5 docs/man/proflog-module.7
made_by = docs/print-ghc-events docs/print-mlpd-events docs/print-schemas haskell/print-eventlog-events proflog

check_PROGRAMS += docs/print-ghc-events
docs_print_ghc_events_SOURCES = docs/print-ghc-events.c docs/json-text.h
docs_print_ghc_events_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
docs_print_ghc_events_LDADD = libproflog-internal.la $(GLIB_LIBS)

check_PROGRAMS += docs/print-mlpd-events
docs_print_mlpd_events_SOURCES = docs/print-mlpd-events.c docs/json-text.h
docs_print_mlpd_events_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
docs_print_mlpd_events_LDADD = libproflog-internal.la $(GLIB_LIBS)

check_PROGRAMS += docs/print-schemas
docs_print_schemas_SOURCES = docs/print-schemas.c docs/schema-keys.def docs/schema-record.c docs/schema-results.c \
	docs/schemas.h docs/schema-write.c
docs_print_schemas_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
docs_print_schemas_LDADD = libproflog-command.la $(GLIB_LIBS)

$(made_docs): $(srcdir)/docs/made
$(srcdir)/docs/made: | $(if $(wildcard $(srcdir)/docs/made),,$(made_by))
	$(AM_V_GEN)$(top_srcdir)/docs/write-all $(top_srcdir)
.PHONY: update-docs
update-docs: $(made_by)
	$(AM_V_GEN)$(top_srcdir)/docs/write-all $(top_srcdir)

TESTS += docs/test-docs.sh
EXTRA_DIST += docs/README.md docs/made docs/test-docs.sh docs/write-all docs/json-introduction.md docs/schema-runs $(man_sources)
