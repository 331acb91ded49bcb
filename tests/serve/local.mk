# `proflog serve`.
check_PROGRAMS += tests/serve/stalled-reader

# Chromium comes as it is, and takes its time: once is enough.
if !SANITIZED
TESTS += $(serve_tests)
endif
