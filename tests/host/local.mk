# The fake runtime host: the real module without Mono.
check_PROGRAMS += tests/host/proflog-host
tests_host_proflog_host_SOURCES = \
	tests/host/callbacks.def \
	tests/host/host-commands.def \
	tests/host/host-fire.c \
	tests/host/host-main.c \
	tests/host/host-run.c \
	tests/host/host-runtime.c \
	tests/host/host-runtime.h \
	tests/host/host-script.c \
	tests/host/host-script.h \
	tests/host/host-truth.c \
	tests/host/host-world.c \
	tests/host/host.h
tests_host_proflog_host_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
tests_host_proflog_host_CFLAGS = $(AM_CFLAGS) $(LIBFFI_CFLAGS)
tests_host_proflog_host_LDFLAGS = $(AM_LDFLAGS) -export-dynamic
tests_host_proflog_host_LDADD = $(LIBFFI_LIBS) -ldl -lpthread

check_PROGRAMS += tests/host/check-log
tests_host_check_log_SOURCES = tests/host/check-log.c
tests_host_check_log_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
tests_host_check_log_LDADD = libproflog-internal.la $(GLIB_LIBS)
