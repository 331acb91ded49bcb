# `proflog serve`.
check_PROGRAMS += tests/serve/stalled-reader
tests_serve_stalled_reader_SOURCES = tests/serve/stalled-reader.c

EXTRA_DIST += tests/serve/browse.mjs tests/serve/lib.sh

# Chromium comes as it is, and takes its time: once is enough.
if !SANITIZED
TESTS += tests/serve/test-page.sh
endif
EXTRA_DIST += tests/serve/test-page.sh
