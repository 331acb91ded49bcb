# The runtime that only pretends: part of the tests' fake host and of what `proflog replay` runs.
host_sources = \
	host/callbacks.def \
	host/host-fire.c \
	host/host-runtime.c \
	host/host-runtime.h \
	host/host.h
