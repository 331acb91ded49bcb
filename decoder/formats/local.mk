# Formats: bytes -> items.  Depends on nothing else in the decoder.
libproflog_internal_sources += \
	decoder/cursor.h \
	decoder/formats/ghc-decode.c \
	decoder/formats/ghc-decode.h \
	decoder/formats/ghc-describe.c \
	decoder/formats/ghc-describe.h \
	decoder/formats/ghc-read-events.c \
	decoder/formats/ghc-read-header.c \
	decoder/formats/ghc-reader.c \
	decoder/formats/ghc-reading.h \
	decoder/formats/ghc-search.c \
	decoder/formats/ghc-sense.c \
	decoder/formats/ghc-types.c \
	decoder/formats/ghc-types.h \
	decoder/formats/ghc-writer.c \
	decoder/formats/ghc-span.h \
	decoder/formats/log-input.c \
	decoder/formats/log-input.h \
	decoder/formats/log-recovery.c \
	decoder/formats/log-recovery.h \
	decoder/formats/mlpd-decode.c \
	decoder/formats/mlpd-decode.h \
	decoder/formats/mlpd-describe.c \
	decoder/formats/mlpd-describe.h \
	decoder/formats/mlpd-origin.c \
	decoder/formats/mlpd-origin.h \
	decoder/formats/mlpd-wires.h \
	decoder/formats/mlpd-reader.c \
	decoder/formats/spool-reader.c \
	decoder/formats/spool-reader.h \
	decoder/formats/steps.h \
	decoder/formats/unpack-gzip.c \
	decoder/formats/unpack-sorts.h \
	decoder/formats/unpack.c \
	decoder/formats/unpack.h \
	decoder/formats/window.c \
	decoder/formats/window.h

if ZSTD
libproflog_internal_sources += decoder/formats/unpack-zstd.c
else
EXTRA_DIST += decoder/formats/unpack-zstd.c
endif
