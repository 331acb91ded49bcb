# What runs within a profiled program of either runtime: the clock, the control socket and its
# thread, one line of warning.  No GLib, and nothing of a runtime.
noinst_LTLIBRARIES += libproflog-agent.la
libproflog_agent_la_SOURCES = $(agent_sources)
libproflog_agent_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden -pthread
