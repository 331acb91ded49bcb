# Logs while they are written.
libproflog_internal_sources += \
	decoder/live/live-feed.c \
	decoder/live/live-feed.h \
	decoder/live/live-figures.c \
	decoder/live/live-figures.def \
	decoder/live/live-figures.h \
	decoder/live/live-ghc.c \
	decoder/live/live-ghc.h \
	decoder/live/live-losses.c \
	decoder/live/live-losses.h \
	decoder/live/live-model.c \
	decoder/live/live-model.h \
	decoder/live/live-order.c \
	decoder/live/live-order.h \
	decoder/live/live-print.c \
	decoder/live/live-print.h \
	decoder/live/live-source.c \
	decoder/live/live-source.h \
	decoder/live/live-tables.c \
	decoder/live/live-tables.h
