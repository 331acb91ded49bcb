EXTRA_DIST += \
	scripts/apply-recipes \
	scripts/check \
	scripts/check-abi \
	scripts/check-includes \
	scripts/check-includes.awk \
	scripts/check-install \
	scripts/compare-outputs \
	scripts/compare-outputs.runs \
	scripts/embed-files \
	scripts/get-peers \
	scripts/include-rules \
	scripts/lint \
	scripts/lint-layout \
	scripts/list-sources \
	scripts/print-environment \
	scripts/quickstart \
	scripts/record-ghc-logs \
	scripts/record-stock-logs \
	scripts/setup.sh
