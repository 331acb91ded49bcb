# Other programs that read our exports, and must find in them what we find.
check_PROGRAMS += tests/peers/peer-graph
tests_peers_peer_graph_SOURCES = \
	tests/peers/peer-graph.c \
	tests/unit/graph-arrays.c \
	tests/unit/graph-arrays.h
tests_peers_peer_graph_CPPFLAGS = $(AM_CPPFLAGS)
tests_peers_peer_graph_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
tests_peers_peer_graph_LDADD = libproflog-internal.la $(GLIB_LIBS)

if !SANITIZED
TESTS += $(peers_tests)
endif
