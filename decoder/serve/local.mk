# The server of `proflog serve`: a part of the command alone, as the library shall not need
# libmicrohttpd.
proflog_SOURCES += \
	decoder/serve/control-desk.c \
	decoder/serve/control-desk.h \
	decoder/serve/event-hub.c \
	decoder/serve/event-hub.h \
	decoder/serve/frames.c \
	decoder/serve/frames.h \
	decoder/serve/http-guard.c \
	decoder/serve/http-guard.h \
	decoder/serve/http-server.c \
	decoder/serve/http-server.h \
	decoder/serve/page-files.h

page_sources = \
	$(top_srcdir)/decoder/serve/page.html \
	$(top_srcdir)/decoder/serve/page.css \
	$(top_srcdir)/decoder/serve/page.js \
	$(top_srcdir)/decoder/serve/plots.js \
	$(top_srcdir)/decoder/serve/icon.svg
nodist_proflog_SOURCES = decoder/serve/page-files.c
CLEANFILES += decoder/serve/page-files.c
EXTRA_DIST += $(page_sources) decoder/serve/embed-files.sh

decoder/serve/page-files.c: $(page_sources) $(top_srcdir)/decoder/serve/embed-files.sh
	@$(MKDIR_P) decoder/serve
	$(AM_V_GEN)sh $(top_srcdir)/decoder/serve/embed-files.sh $(page_sources) >$@.new
	@mv -f $@.new $@
