# proflog push, with real servers.
if !SANITIZED
TESTS += $(push_tests)
endif

