# The fake runtime host: the real module without Mono.
if HAVE_LIBFFI
check_PROGRAMS += tests/host/proflog-host
endif
tests_host_proflog_host_SOURCES = \
	tests/host/host-clock.c \
	tests/host/host-commands.def \
	tests/host/host-main.c \
	tests/host/host-run.c \
	tests/host/host-script.c \
	tests/host/host-script.h \
	tests/host/host-threads.c \
	tests/host/host-truth.c \
	tests/host/host-world.c \
	tests/host/test-host.h \
	$(host_sources)
tests_host_proflog_host_CFLAGS = $(AM_CFLAGS) $(LIBFFI_CFLAGS)
tests_host_proflog_host_LDFLAGS = $(AM_LDFLAGS) -export-dynamic
tests_host_proflog_host_LDADD = $(LIBFFI_LIBS) -ldl -lpthread

# A reader of logs from sockets.
check_PROGRAMS += tests/host/log-peer

check_PROGRAMS += tests/host/check-log
tests_host_check_log_SOURCES = \
	tests/host/check-log-items.c \
	tests/host/check-log-names.c \
	tests/host/check-log.c \
	tests/host/check-log.h
tests_host_check_log_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
tests_host_check_log_LDADD = libproflog-internal.la $(GLIB_LIBS)

check_PROGRAMS += tests/host/control-peer

TESTS += $(host_tests)
AM_TESTS_ENVIRONMENT += \
	MONO='$(MONO)'; MONO_CFLAGS='$(MONO_CFLAGS)'; SANITIZER='$(SANITIZER)'; \
	export MONO MONO_CFLAGS SANITIZER;
