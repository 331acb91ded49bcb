# Formats: bytes -> items.  Depends on nothing else in the decoder.
libproflog_internal_sources += \
	decoder/cursor.h \
	decoder/formats/log-input.c \
	decoder/formats/log-input.h \
	decoder/formats/mlpd-decode.c \
	decoder/formats/mlpd-decode.h \
	decoder/formats/mlpd-describe.c \
	decoder/formats/mlpd-describe.h \
	decoder/formats/mlpd-wires.h \
	decoder/formats/mlpd-reader.c
