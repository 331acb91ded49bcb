# The real Mono: C# programs whose own counters are the truth.
