EXTRA_DIST += scripts/check scripts/check-install examples/quickstart.cs scripts/quickstart scripts/record-ghc-logs scripts/record-stock-logs scripts/setup.sh
