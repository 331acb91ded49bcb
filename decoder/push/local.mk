# proflog push: a program of its own, as other commands need not load SQLite and libcurl.
if HAVE_SQLITE
if HAVE_CURL
pkglibexec_PROGRAMS += proflog-push
endif
endif
proflog_push_SOURCES = $(push_sources) decoder/query/query.c decoder/query/query.h decoder/query/query-watch.c decoder/query/query-watch.h decoder/query/query-rows.c decoder/query/query-outputs.h $(sql_sources) $(memory_sources)
proflog_push_CPPFLAGS = $(libproflog_command_la_CPPFLAGS)
proflog_push_CFLAGS = $(libproflog_command_la_CFLAGS) $(SQLITE_CFLAGS) $(CURL_CFLAGS) $(LIBEDIT_CFLAGS) $(ZSTD_CFLAGS)
proflog_push_LDADD = libproflog-command.la $(GLIB_LIBS) $(SQLITE_LIBS) $(CURL_LIBS) $(ZLIB_LIBS) $(LIBEDIT_LIBS) $(ZSTD_LIBS)
