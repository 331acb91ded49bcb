EXTRA_DIST += $(debian_files) proflog.spec
EXTRA_DIST += \
	scripts/apply-recipes \
	scripts/check \
	scripts/check-abi \
	scripts/check-file-lists \
	scripts/check-includes \
	scripts/check-includes.awk \
	scripts/check-install \
	scripts/compare-outputs \
	scripts/compare-outputs.runs \
	scripts/compile-assembly \
	scripts/embed-files \
	scripts/get-peers \
	scripts/include-rules \
	scripts/lint \
	scripts/lint-layout \
	scripts/list-sources \
	scripts/make-packages \
	scripts/make-rpms \
	scripts/print-environment \
	scripts/print-tar \
	scripts/quickstart \
	scripts/record-ghc-logs \
	scripts/record-stock-logs \
	scripts/setup.sh \
	scripts/test-packages \
	scripts/test-release

# Debian packages, in packages/ of the build, and RPM packages, in rpms/.
.PHONY: deb rpm test-packages test-release
deb: dist-xz
	$(srcdir)/scripts/make-packages $(distdir).tar.xz packages
test-packages: deb
	$(srcdir)/scripts/test-packages packages
rpm: dist-xz
	$(srcdir)/scripts/make-rpms $(distdir).tar.xz rpms

# Whether two builds of the release archive, and of the Debian packages of it, have the same bytes.
test-release:
	$(srcdir)/scripts/test-release release
