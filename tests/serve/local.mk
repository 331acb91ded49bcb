# `proflog serve`.
check_PROGRAMS += tests/serve/stalled-reader
tests_serve_stalled_reader_SOURCES = tests/serve/stalled-reader.c

EXTRA_DIST += tests/serve/browse.mjs tests/serve/lib.sh
