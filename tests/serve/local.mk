# `proflog serve`.
check_PROGRAMS += tests/serve/stalled-reader

# Chromium comes as it is, and takes its time: once is enough.
if !SANITIZED
TESTS += $(serve_tests)
endif

if HAVE_CMOCKA
if HAVE_LIBMICROHTTPD
check_PROGRAMS += tests/serve/test-serve-connections
TESTS += tests/serve/test-serve-connections
endif
endif
tests_serve_test_serve_connections_SOURCES = tests/serve/test-serve-connections.c \
	decoder/serve/control-desk.c decoder/serve/event-hub.c decoder/serve/frames.c \
	decoder/serve/http-clients.c
tests_serve_test_serve_connections_CPPFLAGS = $(unit_cppflags)
tests_serve_test_serve_connections_CFLAGS = $(unit_cflags) $(LIBMICROHTTPD_CFLAGS)
tests_serve_test_serve_connections_LDADD = $(unit_ldadd)
