# The fake runtime host: the real module without Mono.
