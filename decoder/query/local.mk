# proflog query: a program of its own, as other commands need not load SQLite.
if HAVE_SQLITE
pkglibexec_PROGRAMS += proflog-query
endif
proflog_query_SOURCES = $(query_sources) $(sql_sources) $(memory_sources)
proflog_query_CPPFLAGS = $(libproflog_command_la_CPPFLAGS)
proflog_query_CFLAGS = $(libproflog_command_la_CFLAGS) $(SQLITE_CFLAGS) $(LIBEDIT_CFLAGS) $(ZSTD_CFLAGS)
proflog_query_LDADD = libproflog-command.la $(GLIB_LIBS) $(SQLITE_LIBS) $(LIBEDIT_LIBS) $(ZSTD_LIBS)
