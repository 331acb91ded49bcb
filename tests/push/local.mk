# proflog push, with real servers.
if !SANITIZED
TESTS += $(push_tests)
endif
EXTRA_DIST += tests/push/lib.sh tests/push/report-sums.py
