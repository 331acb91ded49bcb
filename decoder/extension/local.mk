# libproflog-sqlite, which programs with SQLite load.  It calls the SQLite of the program.
if HAVE_SQLITE
lib_LTLIBRARIES += libproflog-sqlite.la
endif
libproflog_sqlite_la_SOURCES = decoder/extension/extension.c $(sql_sources)
libproflog_sqlite_la_CPPFLAGS = $(libproflog_command_la_CPPFLAGS) -DPROFLOG_SQLITE_EXTENSION
libproflog_sqlite_la_CFLAGS = $(libproflog_command_la_CFLAGS) $(SQLITE_CFLAGS)
libproflog_sqlite_la_LIBADD = libproflog-command.la $(GLIB_LIBS)
libproflog_sqlite_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -export-symbols-regex '^sqlite3_extension_init$$'
