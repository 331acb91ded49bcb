# The module.  No GLib; mono_* symbols bind to the runtime that loads it.
lib_LTLIBRARIES += libmono-profiler-proflog.la
libmono_profiler_proflog_la_SOURCES = \
	profiler/descriptors.c \
	profiler/descriptors.h \
	profiler/address-set.c \
	profiler/address-set.h \
	profiler/call-stack.c \
	profiler/call-stack.h \
	profiler/callspec.c \
	profiler/callspec.h \
	profiler/clock.c \
	profiler/clock.h \
	profiler/command-line.c \
	profiler/command-line.h \
	profiler/mono-calls.c \
	profiler/mono-counters.c \
	profiler/mono-eventlog.c \
	profiler/mono-heap.c \
	profiler/mono-leaves.c \
	profiler/mono-module.c \
	profiler/mono-names.c \
	profiler/mono-switch.c \
	profiler/mono-objects.c \
	profiler/mono-profiler.h \
	profiler/mono-runtime.c \
	profiler/mono-samples.c \
	profiler/mono-stacks.c \
	profiler/mono-ticker.c \
	profiler/counter-state.h \
	profiler/control-dispatch.c \
	profiler/control-dispatch.h \
	profiler/control-reply.c \
	profiler/control-reply.h \
	profiler/control-verbs.c \
	profiler/control-verbs.h \
	profiler/control.c \
	profiler/control.h \
	profiler/entry-points.c \
	profiler/event-classes.c \
	profiler/event-classes.def \
	profiler/event-classes.h \
	profiler/eventlog.c \
	profiler/eventlog.h \
	profiler/heap-shots.h \
	profiler/log-eventlog.c \
	profiler/log-format.h \
	profiler/log-mlpd.c \
	profiler/log-output.c \
	profiler/log-output.h \
	profiler/marks.c \
	profiler/marks.h \
	profiler/name-journal.c \
	profiler/name-journal.h \
	profiler/names.c \
	profiler/names.h \
	profiler/native-thread.c \
	profiler/native-thread.h \
	profiler/options.c \
	profiler/options.h \
	profiler/pack-gzip.c \
	profiler/pack-sorts.h \
	profiler/pack.c \
	profiler/pack.h \
	profiler/queue.h \
	profiler/recorder.c \
	profiler/recorder.h \
	profiler/sampling.c \
	profiler/sampling.h \
	profiler/sink-command.c \
	profiler/sink-file.c \
	profiler/sink-name.c \
	profiler/sink-socket.c \
	profiler/sink-sorts.h \
	profiler/sink.c \
	profiler/sink.h \
	profiler/spool-file.c \
	profiler/spool-file.h \
	profiler/user-directory.c \
	profiler/user-directory.h \
	profiler/warn.c \
	profiler/warn.h \
	profiler/writer.c \
	profiler/writer.h
if ZSTD
libmono_profiler_proflog_la_SOURCES += \
	profiler/content-sum.c \
	profiler/content-sum.h \
	profiler/pack-zstd.c
else
EXTRA_DIST += \
	profiler/content-sum.c \
	profiler/content-sum.h \
	profiler/pack-zstd.c
endif
libmono_profiler_proflog_la_CFLAGS = $(AM_CFLAGS) $(MONO_CFLAGS) $(ZLIB_CFLAGS) $(ZSTD_CFLAGS) -fvisibility=hidden -pthread
libmono_profiler_proflog_la_LIBADD = $(ZLIB_LIBS) $(ZSTD_LIBS) -lm
libmono_profiler_proflog_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared -pthread
