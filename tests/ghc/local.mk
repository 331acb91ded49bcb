# Programs that real logs of GHC are recorded of.
EXTRA_DIST += \
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
