# The decoder: one internal library; of it are made the public one, which exports the documented
# API alone, and the command.
libproflog_internal_sources =
include decoder/formats/local.mk
include decoder/analyses/local.mk
include decoder/live/local.mk
include decoder/views/local.mk
include decoder/exports/local.mk

noinst_LTLIBRARIES += libproflog-internal.la
libproflog_internal_la_SOURCES = $(libproflog_internal_sources)
libproflog_internal_la_CPPFLAGS = $(AM_CPPFLAGS) -DG_LOG_DOMAIN=\"proflog\"
libproflog_internal_la_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS) $(ZLIB_CFLAGS) $(ZSTD_CFLAGS)
libproflog_internal_la_LIBADD = $(GLIB_LIBS) $(ZLIB_LIBS) $(ZSTD_LIBS) -lm

lib_LTLIBRARIES += libproflog.la
libproflog_la_SOURCES =
libproflog_la_LIBADD = libproflog-internal.la
libproflog_la_LDFLAGS = $(AM_LDFLAGS) -version-info 0:0:0 \
	-export-symbols-regex '^(ghc_print_|ghc_reader_|ghc_writer_|mlpd_reader_|proflog_read_)'

include decoder/cli/local.mk
include decoder/serve/local.mk
