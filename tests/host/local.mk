# The fake runtime host: the real module without Mono.
check_PROGRAMS += tests/host/proflog-host
tests_host_proflog_host_SOURCES = \
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
tests_host_proflog_host_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
tests_host_proflog_host_CFLAGS = $(AM_CFLAGS) $(LIBFFI_CFLAGS)
tests_host_proflog_host_LDFLAGS = $(AM_LDFLAGS) -export-dynamic
tests_host_proflog_host_LDADD = $(LIBFFI_LIBS) -ldl -lpthread

# Who reads a log from a socket.
check_PROGRAMS += tests/host/log-peer
tests_host_log_peer_SOURCES = tests/host/log-peer.c
tests_host_log_peer_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE

check_PROGRAMS += tests/host/check-log
tests_host_check_log_SOURCES = \
	tests/host/check-log-items.c \
	tests/host/check-log-names.c \
	tests/host/check-log.c \
	tests/host/check-log.h
tests_host_check_log_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
tests_host_check_log_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
tests_host_check_log_LDADD = libproflog-internal.la $(GLIB_LIBS)

check_PROGRAMS += tests/host/control-peer
tests_host_control_peer_SOURCES = tests/host/control-peer.c
tests_host_control_peer_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE

host_tests = \
	tests/host/test-host-backtraces.sh \
	tests/host/test-host-calls.sh \
	tests/host/test-host-control.sh \
	tests/host/test-host-eventlog.sh \
	tests/host/test-host-events.sh \
	tests/host/test-host-files.sh \
	tests/host/test-host-flush.sh \
	tests/host/test-host-fork.sh \
	tests/host/test-host-full.sh \
	tests/host/test-host-gc.sh \
	tests/host/test-host-heapshot.sh \
	tests/host/test-host-imports.sh \
	tests/host/test-host-limits.sh \
	tests/host/test-host-names.sh \
	tests/host/test-host-options.sh \
	tests/host/test-host-output.sh \
	tests/host/test-host-process.sh \
	tests/host/test-host-readers.sh \
	tests/host/test-host-rotation.sh \
	tests/host/test-host-sanitized.sh \
	tests/host/test-host-serve.sh \
	tests/host/test-host-sinks.sh \
	tests/host/test-host-spool.sh \
	tests/host/test-host-switch.sh \
	tests/host/test-host-threads.sh
TESTS += $(host_tests)
dist_check_SCRIPTS += $(host_tests)
AM_TESTS_ENVIRONMENT += \
	MONO='$(MONO)'; MONO_CFLAGS='$(MONO_CFLAGS)'; SANITIZER='$(SANITIZER)'; \
	export MONO MONO_CFLAGS SANITIZER;

EXTRA_DIST += \
	tests/host/control-lib.sh \
	tests/host/host-lib.sh \
	tests/host/scenarios/alive.scn \
	tests/host/scenarios/backtraces.scn \
	tests/host/scenarios/busy.scn \
	tests/host/scenarios/calls-lost.scn \
	tests/host/scenarios/calls.scn \
	tests/host/scenarios/collecting-exit.scn \
	tests/host/scenarios/collecting.scn \
	tests/host/scenarios/deep.scn \
	tests/host/scenarios/descriptors.scn \
	tests/host/scenarios/events.scn \
	tests/host/scenarios/exit-7.scn \
	tests/host/scenarios/exit-now.scn \
	tests/host/scenarios/exit-plain.scn \
	tests/host/scenarios/firing-exit.scn \
	tests/host/scenarios/firing.scn \
	tests/host/scenarios/fork-follow.scn \
	tests/host/scenarios/fork-threads.scn \
	tests/host/scenarios/fork.scn \
	tests/host/scenarios/heap.scn \
	tests/host/scenarios/killed.scn \
	tests/host/scenarios/large-heap.scn \
	tests/host/scenarios/lately-named.scn \
	tests/host/scenarios/long-names.scn \
	tests/host/scenarios/moves.scn \
	tests/host/scenarios/much.scn \
	tests/host/scenarios/names.scn \
	tests/host/scenarios/naming.scn \
	tests/host/scenarios/nothing.scn \
	tests/host/scenarios/parallel.scn \
	tests/host/scenarios/reborn.scn \
	tests/host/scenarios/second-init.scn \
	tests/host/scenarios/short-threads.scn \
	tests/host/scenarios/shots-race.scn \
	tests/host/scenarios/shots-timed.scn \
	tests/host/scenarios/shots.scn \
	tests/host/scenarios/shutdown-twice.scn \
	tests/host/scenarios/terminated.scn \
	tests/host/scenarios/uninitialized.scn \
	tests/host/scenarios/world.scn
