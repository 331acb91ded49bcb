# Views: figures and events -> text, JSON, CSV and Markdown.  report-NAME.c is a section.
libproflog_internal_sources += \
	decoder/views/dump-fields.c \
	decoder/views/dump-filter.c \
	decoder/views/dump.c \
	decoder/views/dump.h \
	decoder/views/emitter-cells.c \
	decoder/views/emitter-csv.c \
	decoder/views/emitter-json.c \
	decoder/views/emitter-markdown.c \
	decoder/views/emitter-ops.h \
	decoder/views/emitter-text.c \
	decoder/views/emitter-values.c \
	decoder/views/emitter.c \
	decoder/views/emitter.h \
	decoder/views/info.c \
	decoder/views/info.h \
	decoder/views/report-allocations.c \
	decoder/views/report-calls.c \
	decoder/views/report-domains.c \
	decoder/views/report-exceptions.c \
	decoder/views/report-gc.c \
	decoder/views/report-heapshots.c \
	decoder/views/report-log.c \
	decoder/views/report-log.h \
	decoder/views/report-metadata.c \
	decoder/views/report-monitors.c \
	decoder/views/report-samples.c \
	decoder/views/report-threads.c \
	decoder/views/report.c \
	decoder/views/report.h \
	decoder/views/section.c \
	decoder/views/section.h \
	decoder/views/table.c \
	decoder/views/table.h \
	decoder/views/view.h
