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
	scripts/make-release \
	scripts/make-rpms \
	scripts/make-static \
	scripts/make-wheel \
	scripts/print-coverage \
	scripts/print-environment \
	scripts/print-tar \
	scripts/quickstart \
	scripts/record-ghc-logs \
	scripts/record-release-logs \
	scripts/record-stock-logs \
	scripts/setup.sh \
	scripts/test-packages \
	scripts/test-readme \
	scripts/test-release \
	scripts/test-static \
	scripts/time-first-report

# Debian packages, in packages/ of the build, RPM packages, in rpms/, the static program, in static/, and the package
# for pip, in wheel/.
.PHONY: deb release rpm static static-arm64 wheel test-packages test-readme test-release test-static
deb: dist-xz
	$(srcdir)/scripts/make-packages $(distdir).tar.xz packages
test-packages: deb
	$(srcdir)/scripts/test-packages packages
# What a newcomer does, by the packages and by hand.
test-readme: deb
	$(srcdir)/scripts/test-readme $(distdir).tar.xz packages
rpm: dist-xz
	$(srcdir)/scripts/make-rpms $(distdir).tar.xz rpms
static: dist-xz
	$(srcdir)/scripts/make-static $(distdir).tar.xz static
static-arm64: dist-xz
	$(srcdir)/scripts/make-static $(distdir).tar.xz static-arm64 aarch64-linux-gnu
wheel: libproflog.la
	$(srcdir)/scripts/make-wheel . wheel
# All of these, and their checksums, in released/.
release: deb rpm static wheel
	$(srcdir)/scripts/make-release . released
test-static: static
	$(srcdir)/scripts/test-static static/$(distdir)-linux-*

# Whether two builds of the release archive, and of the Debian packages of it, have the same bytes.
test-release:
	$(srcdir)/scripts/test-release release

# How much of the decoder and of the module the tests reach.
.PHONY: coverage
coverage:
	$(srcdir)/scripts/coverage
