# Tests run by `make check`; what a folder holds is told in its local.mk.
EXTRA_DIST += tests/steps-lib.sh
include tests/unit/local.mk
include tests/prop/local.mk
include tests/logs/local.mk
include tests/fuzz/local.mk
include tests/host/local.mk
include tests/cli/local.mk
include tests/mono/local.mk
include tests/eventlog/local.mk
include tests/ghc/local.mk
include tests/ghc-live/local.mk
include tests/replay/local.mk
include tests/serve/local.mk
include tests/peers/local.mk
