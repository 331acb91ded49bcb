dist_doc_DATA += \
	docs/architecture.md \
	docs/decisions.md \
	docs/differences-from-mprof-report.md \
	docs/fast-loops.md \
	docs/grafana-dashboard.json \
	docs/fleet.md \
	docs/ghc-events.md \
	docs/ghc-format.md \
	docs/haskell.md \
	docs/heap.md \
	docs/limits.md \
	docs/live.md \
	docs/mlpd-events.md \
	docs/mlpd-format.md \
	docs/module.md \
	docs/packages.md \
	docs/production.md \
	docs/queries.md \
	docs/reliability.md \
	docs/security.md \
	docs/usage.md
picturesdir = $(docdir)/pictures
dist_pictures_DATA = docs/pictures/eventlog.png docs/pictures/flame.png docs/pictures/report.png
dist_man1_MANS = docs/proflog.1
dist_man3_MANS = docs/proflog-eventlog.3
dist_man7_MANS = docs/proflog-ghc.7

# `make update-docs` writes the tables anew after a change of the event lists.
check_PROGRAMS += docs/print-ghc-events
docs_print_ghc_events_SOURCES = docs/print-ghc-events.c
docs_print_ghc_events_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
docs_print_ghc_events_LDADD = libproflog-internal.la $(GLIB_LIBS)

check_PROGRAMS += docs/print-mlpd-events
docs_print_mlpd_events_SOURCES = docs/print-mlpd-events.c
docs_print_mlpd_events_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
docs_print_mlpd_events_LDADD = libproflog-internal.la $(GLIB_LIBS)

.PHONY: update-docs
update-docs: docs/print-ghc-events docs/print-mlpd-events haskell/print-eventlog-events proflog
	docs/print-ghc-events > $(top_srcdir)/docs/ghc-events.md
	docs/print-mlpd-events > $(top_srcdir)/docs/mlpd-events.md
	haskell/print-eventlog-events > $(top_srcdir)/haskell/Proflog/EventlogEvents.hsc
	$(top_srcdir)/docs/write-sections ./proflog $(top_srcdir)/docs/proflog.1 > proflog.1.new
	mv proflog.1.new $(top_srcdir)/docs/proflog.1

TESTS += docs/test-docs.sh
EXTRA_DIST += docs/test-docs.sh docs/write-sections
