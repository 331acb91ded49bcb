# The libraries as programs of others use them.
if SANITIZED
TESTS += tests/library/test-library-symbols.sh
else
TESTS += $(library_tests)
endif
EXTRA_DIST += tests/library/libproflog.abi tests/library/libproflog-eventlog.abi tests/library/libproflog-ghc.abi

# Whether programs that were linked with the libraries of the description run with these; for a release that may
# differ, or has new functions, `make update-abi` writes it anew.
.PHONY: check-abi update-abi
check-abi: $(lib_LTLIBRARIES)
	$(top_srcdir)/scripts/check-abi .
update-abi: $(lib_LTLIBRARIES)
	$(top_srcdir)/scripts/check-abi --update .
