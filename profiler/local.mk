# The module.  No GLib; mono_* symbols bind to the runtime that loads it.
lib_LTLIBRARIES += libmono-profiler-proflog.la
libmono_profiler_proflog_la_SOURCES = $(module_sources)
libmono_profiler_proflog_la_CFLAGS = $(AM_CFLAGS) $(MONO_CFLAGS) $(ZLIB_CFLAGS) $(ZSTD_CFLAGS) -fvisibility=hidden -pthread
libmono_profiler_proflog_la_LIBADD = libproflog-agent.la $(ZLIB_LIBS) $(ZSTD_LIBS) -lm
libmono_profiler_proflog_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared -pthread
