# The libraries as programs of others use them.
if SANITIZED
TESTS += tests/library/test-library-symbols.sh
else
TESTS += $(library_tests)
endif

# Whether programs that were linked with the libraries of a release run with these: ABI is tests/library of its archive.
.PHONY: check-abi
check-abi: $(lib_LTLIBRARIES)
	$(top_srcdir)/scripts/check-abi $(ABI) .

# The archive of a release has the descriptions of its libraries, for the next ones.
dist-hook: $(lib_LTLIBRARIES)
	if command -v abidw >/dev/null; then $(top_srcdir)/scripts/check-abi --write $(distdir)/tests/library .; fi
