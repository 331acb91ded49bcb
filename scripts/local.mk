EXTRA_DIST += $(debian_files) proflog.spec
EXTRA_DIST += \
	scripts/apply-recipes \
	scripts/check \
	scripts/check-abi \
	scripts/check-file-lists \
	scripts/check-calls \
	scripts/check-calls.awk \
	scripts/check-covered \
	scripts/check-includes \
	scripts/check-includes.awk \
	scripts/check-words \
	scripts/check-install \
	scripts/compare-outputs \
	scripts/compare-outputs.runs \
	scripts/compile-assembly \
	scripts/coverage \
	scripts/embed-files \
	scripts/fresh-root.sh \
	scripts/get-peers \
	scripts/include-rules \
	scripts/include-rules.awk \
	scripts/lint \
	scripts/lint-layout \
	scripts/list-sources \
	scripts/make-packages \
	scripts/make-rpms \
	scripts/print-coverage \
	scripts/print-environment \
	scripts/print-tar \
	scripts/quickstart \
	scripts/record-ghc-logs \
	scripts/record-stock-logs \
	scripts/setup.sh \
	scripts/test-packages \
	scripts/test-readme \
	scripts/test-release

# Debian packages, in packages/ of the build, and RPM packages, in rpms/.
.PHONY: deb rpm test-packages test-readme test-release
deb: dist-xz
	$(srcdir)/scripts/make-packages $(distdir).tar.xz packages
test-packages: deb
	$(srcdir)/scripts/test-packages packages
# What a newcomer does, by the packages and by hand.
test-readme: deb
	$(srcdir)/scripts/test-readme $(distdir).tar.xz packages
rpm: dist-xz
	$(srcdir)/scripts/make-rpms $(distdir).tar.xz rpms

# Whether two builds of the release archive, and of the Debian packages of it, have the same bytes.
test-release:
	$(srcdir)/scripts/test-release release

# How much of the decoder and of the module the tests reach.
.PHONY: coverage
coverage:
	$(srcdir)/scripts/coverage
