# The real GHC and its tools: programs whose own counters are the truth, ghc-events as judge.
TESTS += $(ghc_tests)
