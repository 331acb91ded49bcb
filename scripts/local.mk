EXTRA_DIST += scripts/check scripts/check-install scripts/quickstart scripts/setup.sh
