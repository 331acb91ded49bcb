EXTRA_DIST += scripts/check scripts/check-install scripts/get-peers scripts/quickstart scripts/record-ghc-logs scripts/record-stock-logs scripts/setup.sh
