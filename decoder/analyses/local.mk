# Analyses: events -> figures.
libproflog_internal_sources += \
	decoder/analyses/allocations.c \
	decoder/analyses/allocations.h \
	decoder/analyses/calls.c \
	decoder/analyses/calls.h \
	decoder/analyses/counters.c \
	decoder/analyses/counters.h \
	decoder/analyses/exceptions.c \
	decoder/analyses/exceptions.h \
	decoder/analyses/finalizers.c \
	decoder/analyses/finalizers.h \
	decoder/analyses/gc.c \
	decoder/analyses/gc.h \
	decoder/analyses/handles.c \
	decoder/analyses/handles.h \
	decoder/analyses/heapshots.c \
	decoder/analyses/heapshots.h \
	decoder/analyses/helpers.c \
	decoder/analyses/helpers.h \
	decoder/analyses/log.c \
	decoder/analyses/log.h \
	decoder/analyses/metadata.c \
	decoder/analyses/metadata.h \
	decoder/analyses/monitors.c \
	decoder/analyses/monitors.h \
	decoder/analyses/samples.c \
	decoder/analyses/samples.h \
	decoder/analyses/selection.c \
	decoder/analyses/selection.h \
	decoder/analyses/summary.c \
	decoder/analyses/summary.h \
	decoder/analyses/symbols.c \
	decoder/analyses/symbols.h \
	decoder/analyses/threads.c \
	decoder/analyses/threads.h \
	decoder/analyses/traces.c \
	decoder/analyses/traces.h
