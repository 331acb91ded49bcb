# Views: figures and events -> text and JSON.
libproflog_internal_sources += \
	decoder/views/dump.c \
	decoder/views/dump.h \
	decoder/views/emitter-json.c \
	decoder/views/emitter-ops.h \
	decoder/views/emitter-text.c \
	decoder/views/emitter-values.c \
	decoder/views/emitter.c \
	decoder/views/emitter.h \
	decoder/views/info.c \
	decoder/views/info.h \
	decoder/views/ranking.c \
	decoder/views/ranking.h \
	decoder/views/report-log.c \
	decoder/views/report-log.h \
	decoder/views/report.c \
	decoder/views/report.h
