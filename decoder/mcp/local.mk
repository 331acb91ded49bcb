# proflog mcp: a program of its own, as other commands need not load SQLite.
if HAVE_SQLITE
pkglibexec_PROGRAMS += proflog-mcp
endif
proflog_mcp_SOURCES = $(mcp_sources) $(memory_sources)
proflog_mcp_CPPFLAGS = $(libproflog_command_la_CPPFLAGS)
proflog_mcp_CFLAGS = $(libproflog_command_la_CFLAGS) $(SQLITE_CFLAGS)
proflog_mcp_LDADD = libproflog-command.la $(GLIB_LIBS) $(SQLITE_LIBS)
