# proflog serve: a program of its own, as other commands need not wait for the loading of
# libmicrohttpd and what that needs.
if HAVE_LIBMICROHTTPD
pkglibexec_PROGRAMS += proflog-serve
endif
proflog_serve_SOURCES = $(serve_sources) $(memory_sources)

page_sources = \
	$(top_srcdir)/decoder/serve/page.html \
	$(colour_file) \
	$(top_srcdir)/decoder/serve/page.css \
	$(top_srcdir)/decoder/serve/page.js \
	$(top_srcdir)/decoder/serve/overview.html \
	$(top_srcdir)/decoder/serve/overview.js \
	$(top_srcdir)/decoder/serve/plots.js \
	$(top_srcdir)/decoder/serve/flame-view.js \
	$(top_srcdir)/decoder/exports/flame-graph.js \
	$(top_srcdir)/decoder/serve/icon.svg \
	$(plot_files)
proflog_serve_CPPFLAGS = $(libproflog_command_la_CPPFLAGS)
proflog_serve_CFLAGS = $(libproflog_command_la_CFLAGS) $(LIBMICROHTTPD_CFLAGS)
proflog_serve_LDADD = libproflog-command.la $(GLIB_LIBS) $(LIBMICROHTTPD_LIBS)
nodist_proflog_serve_SOURCES = decoder/serve/page-files.c
CLEANFILES += decoder/serve/page-files.c
EXTRA_DIST += $(page_sources)

decoder/serve/page-files.c: $(page_sources) $(top_srcdir)/scripts/embed-files
	@$(MKDIR_P) decoder/serve
	$(AM_V_GEN)sh $(top_srcdir)/scripts/embed-files page_files $(page_sources) >$@.new
	@mv -f $@.new $@
