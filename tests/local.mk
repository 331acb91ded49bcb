# The tests of `make check`; each local.mk states what its folder holds.
EXTRA_DIST += $(test_files)
TESTS += $(tree_tests)
include tests/unit/local.mk
include tests/logs/local.mk
include tests/fuzz/local.mk
include tests/host/local.mk
include tests/cli/local.mk
include tests/mono/local.mk
include tests/eventlog/local.mk
include tests/library/local.mk
include tests/ghc/local.mk
include tests/ghc-live/local.mk
include tests/replay/local.mk
include tests/serve/local.mk
include tests/torture/local.mk
include tests/peers/local.mk
include tests/push/local.mk

# `make check` has the tests that need no runtime and no command line, in two minutes at most; check-commands,
# check-mono and check-ghc have those of these names, and check-all has all, the longest (long_tests), too.
# scripts/check begins with these: at the end none is left that runs alone.
long_tests = $(peers_tests) $(torture_tests) tests/cli/test-cli-anonymize-mono.sh tests/cli/test-cli-bad-logs.sh \
	tests/cli/test-cli-bombs.sh tests/cli/test-cli-convert-mprof.sh tests/cli/test-cli-help.sh \
	tests/cli/test-cli-hostile.sh tests/cli/test-cli-index-eventlog.sh tests/cli/test-cli-index.sh \
	tests/cli/test-cli-page-plots.sh tests/cli/test-cli-page-ranges.sh tests/cli/test-cli-query.sh \
	tests/cli/test-cli-totals.sh tests/ghc-live/test-ghc-live.sh tests/ghc/test-ghc-programs.sh \
	tests/host/test-host-full.sh tests/host/test-host-keep.sh tests/host/test-host-limits.sh \
	tests/host/test-host-rotation-killed.sh tests/host/test-host-rotation.sh tests/host/test-host-sinks.sh \
	tests/host/test-host-spool.sh tests/library/test-library-schemas.sh tests/mono/test-alloc-100.sh \
	tests/mono/test-attach.sh tests/mono/test-boehm.sh tests/mono/test-cpu-samples.sh tests/mono/test-faults.sh \
	tests/mono/test-forked-shots.sh tests/mono/test-healthy.sh tests/mono/test-native-names.sh \
	tests/mono/test-recorder.sh tests/mono/test-replay.sh tests/mono/test-rotation.sh tests/mono/test-run.sh \
	tests/mono/test-sacred-attached.sh tests/mono/test-sacred.sh \
	tests/mono/test-sinks.sh tests/mono/test-unharmed.sh tests/prop/test-log-scan tests/push/test-push-clickhouse.sh \
	tests/replay/test-replay-round-trip.sh tests/unit/test-logs
short_of = $(filter-out $(long_tests),$(filter $(1),$(TESTS)))
quick_tests = $(call short_of,tests/test-% tests/unit/% tests/prop/% tests/fuzz/%)
commands_tests = $(call short_of,docs/% tests/cli/% tests/library/% tests/logs/% tests/push/% tests/serve/%)
mono_runtime_tests = $(call short_of,tests/host/% tests/mono/% tests/replay/%)
ghc_runtime_tests = $(call short_of,tests/eventlog/% tests/ghc/% tests/ghc-live/%)
TEST_LOGS = $(patsubst %,%.log,$(if $(findstring command,$(origin TESTS)),$(TESTS),$(quick_tests)))
check-commands:
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(commands_tests)'
check-mono:
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(mono_runtime_tests)'
check-ghc:
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(ghc_runtime_tests)'
check-all:
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(TESTS)'
.PHONY: check-all check-commands check-ghc check-mono

# For scripts/check, which does not run all of them in each build.
print-tests:
	@echo $(filter $(long_tests),$(TESTS)) $(filter-out $(long_tests),$(TESTS))
print-groups:
	@for test in $(quick_tests); do echo "check $$test"; done
	@for test in $(commands_tests); do echo "check-commands $$test"; done
	@for test in $(mono_runtime_tests); do echo "check-mono $$test"; done
	@for test in $(ghc_runtime_tests); do echo "check-ghc $$test"; done
print-programs:
	@echo $(check_PROGRAMS)
.PHONY: print-groups print-programs print-tests

# A few short ones of each part, and the programs that they need, for who builds a package; scripts/check runs all.
short_tests = tests/unit/test-mlpd-reader tests/unit/test-cases tests/cli/test-cli-help.sh tests/mono/test-gc.sh
short_programs = tests/unit/test-mlpd-reader tests/unit/test-cases tests/mono/json-paths tests/host/check-log
only_short = TESTS='$(short_tests)' check_PROGRAMS='$(short_programs)' check_LTLIBRARIES=
check-short:
	$(MAKE) $(AM_MAKEFLAGS) check $(only_short)
distcheck-short:
	$(MAKE) $(AM_MAKEFLAGS) distcheck $(only_short)
.PHONY: check-short distcheck-short
