# The decoder: one internal library; of it are made the public one, which exports the documented
# API alone, and the command.
noinst_LTLIBRARIES += libproflog-internal.la
libproflog_internal_la_SOURCES = $(decoder_sources)
libproflog_internal_la_CPPFLAGS = $(AM_CPPFLAGS) -DG_LOG_DOMAIN=\"proflog\"
libproflog_internal_la_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS) $(ZLIB_CFLAGS) $(ZSTD_CFLAGS)
libproflog_internal_la_LIBADD = $(GLIB_LIBS) $(ZLIB_LIBS) $(ZSTD_LIBS) -lm

# Files of the pages that exports and reports write.
colour_file = $(top_srcdir)/decoder/output/colours.css
graph_file = $(top_srcdir)/decoder/exports/flame-graph.js
flame_files = $(colour_file) $(top_srcdir)/decoder/exports/flame.css $(graph_file) $(top_srcdir)/decoder/exports/flame.js
heat_files = $(colour_file) $(top_srcdir)/decoder/exports/flame.css $(top_srcdir)/decoder/exports/heat.css \
	$(graph_file) $(top_srcdir)/decoder/exports/heat-cells.js $(top_srcdir)/decoder/exports/heat.js
report_files = $(colour_file) $(top_srcdir)/decoder/output/report.css $(top_srcdir)/decoder/output/report.js
plot_files = $(top_srcdir)/decoder/output/uplot.css $(top_srcdir)/third_party/uplot/uPlot.iife.js
timeline_files = $(graph_file) $(plot_files) $(top_srcdir)/decoder/views/timeline.css \
	$(top_srcdir)/decoder/views/timeline-plots.js $(top_srcdir)/decoder/views/timeline-tables.js \
	$(top_srcdir)/decoder/views/timeline-flames.js $(top_srcdir)/decoder/views/timeline-intervals.js \
	$(top_srcdir)/decoder/views/timeline-threads.js $(top_srcdir)/decoder/views/timeline-links.js \
	$(top_srcdir)/decoder/views/timeline-heat.js \
	$(top_srcdir)/decoder/views/timeline.js
nodist_libproflog_internal_la_SOURCES = decoder/exports/flame-files.c decoder/exports/heat-files.c \
	decoder/output/report-files.c \
	decoder/views/timeline-files.c
CLEANFILES += decoder/exports/flame-files.c decoder/exports/heat-files.c decoder/output/report-files.c decoder/views/timeline-files.c
EXTRA_DIST += $(flame_files) $(heat_files) $(report_files) $(timeline_files) third_party/uplot/LICENSE third_party/uplot/README

decoder/exports/flame-files.c: $(flame_files) $(top_srcdir)/scripts/embed-files
	@$(MKDIR_P) decoder/exports
	$(AM_V_GEN)sh $(top_srcdir)/scripts/embed-files flame_files $(flame_files) >$@.new
	@mv -f $@.new $@

decoder/exports/heat-files.c: $(heat_files) $(top_srcdir)/scripts/embed-files
	@$(MKDIR_P) decoder/exports
	$(AM_V_GEN)sh $(top_srcdir)/scripts/embed-files heat_files $(heat_files) >$@.new
	@mv -f $@.new $@

decoder/output/report-files.c: $(report_files) $(top_srcdir)/scripts/embed-files
	@$(MKDIR_P) decoder/output
	$(AM_V_GEN)sh $(top_srcdir)/scripts/embed-files report_files $(report_files) >$@.new
	@mv -f $@.new $@

decoder/views/timeline-files.c: $(timeline_files) $(top_srcdir)/scripts/embed-files
	@$(MKDIR_P) decoder/views
	$(AM_V_GEN)sh $(top_srcdir)/scripts/embed-files timeline_files $(timeline_files) >$@.new
	@mv -f $@.new $@

lib_LTLIBRARIES += libproflog.la
libproflog_la_SOURCES =
libproflog_la_LIBADD = libproflog-internal.la
libproflog_map = $(top_srcdir)/decoder/libproflog.map
libproflog_la_LDFLAGS = $(AM_LDFLAGS) -version-info 0:0:0 -Wl,--version-script=$(libproflog_map)
EXTRA_libproflog_la_DEPENDENCIES = $(libproflog_map)
EXTRA_DIST += $(libproflog_map)

# All of the command but main(), as other programs of the command share parts of it.
noinst_LTLIBRARIES += libproflog-command.la
libproflog_command_la_SOURCES = $(command_sources)
libproflog_command_la_CPPFLAGS = $(AM_CPPFLAGS) -DG_LOG_DOMAIN=\"proflog\" -DPROFLOG_LIBDIR=\"$(libdir)\" \
	-DPROFLOG_LIBEXECDIR=\"$(pkglibexecdir)\"
libproflog_command_la_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
libproflog_command_la_LIBADD = libproflog-internal.la

# What programs do without memory: it replaces functions of the C library, so it is in no library of ours.
memory_sources = decoder/command/out-of-memory.c decoder/command/out-of-memory.h

# The command: decoder/cli/cmd-NAME.c is `proflog NAME`; commands.def lists them.
bin_PROGRAMS += proflog
proflog_SOURCES = decoder/cli/main.c $(memory_sources)
proflog_CPPFLAGS = $(libproflog_command_la_CPPFLAGS)
proflog_CFLAGS = $(libproflog_command_la_CFLAGS)
proflog_LDADD = libproflog-command.la $(GLIB_LIBS)

# The same as one file that needs no library, with `query`; without what other programs beside it do
# (serve, push, replay).  scripts/make-static builds it, with --static in PKG_CONFIG.
EXTRA_PROGRAMS += proflog-static
proflog_static_SOURCES = decoder/cli/main.c $(query_sources) $(sql_sources) $(mcp_sources) $(memory_sources)
proflog_static_CPPFLAGS = $(libproflog_command_la_CPPFLAGS) -DPROFLOG_STATIC
proflog_static_CFLAGS = $(proflog_query_CFLAGS)
proflog_static_LDFLAGS = -all-static
proflog_static_LDADD = $(proflog_query_LDADD)

include decoder/serve/local.mk
include decoder/query/local.mk
include decoder/mcp/local.mk
include decoder/push/local.mk
include decoder/extension/local.mk
