# The real GHC and its tools: programs whose own counters are the truth, ghc-events as judge.
ghc_tests = \
	tests/ghc/test-ghc-programs.sh \
	tests/ghc/test-ghc-show.sh \
	tests/ghc/test-ghc-validate.sh
TESTS += $(ghc_tests)
EXTRA_DIST += $(ghc_tests) \
	tests/ghc/judge.sh \
	tests/ghc/lib.sh \
	tests/ghc/programs.sh \
	tests/ghc/stats.sh \
	tests/ghc/truth.sh \
	tests/ghc/programs/Bands.hs \
	tests/ghc/programs/Blocks.hs \
	tests/ghc/programs/Collect.hs \
	tests/ghc/programs/Restart.hs \
	tests/ghc/programs/Restart-writer.c \
	tests/ghc/programs/Sparks.hs \
	tests/ghc/programs/Ticks.hs
