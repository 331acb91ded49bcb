# Calls of the system that fail: each in turn, once or from then on.
check_LTLIBRARIES += libfail-calls.la
libfail_calls_la_SOURCES = tests/torture/fail-calls.c
libfail_calls_la_CFLAGS = $(AM_CFLAGS) -fno-builtin
libfail_calls_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere
libfail_calls_la_LIBADD = -ldl
# With sanitizers malloc is theirs, and Mono does not load the module.
if !SANITIZED
TESTS += $(torture_tests)
endif
