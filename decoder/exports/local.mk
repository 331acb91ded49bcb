# Exports: graphs of heap shots -> formats of other viewers.
libproflog_internal_sources += \
	decoder/exports/export.c \
	decoder/exports/export.h \
	decoder/exports/export-heapsnapshot.c \
	decoder/exports/export-hprof.c \
	decoder/exports/export-perfetto.c
