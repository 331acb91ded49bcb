# Other programs that read our exports, and must find in them what we find.
check_PROGRAMS += tests/peers/peer-graph
tests_peers_peer_graph_SOURCES = tests/peers/peer-graph.c
tests_peers_peer_graph_CPPFLAGS = $(AM_CPPFLAGS)
tests_peers_peer_graph_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
tests_peers_peer_graph_LDADD = libproflog-internal.la $(GLIB_LIBS)

if !SANITIZED
TESTS += tests/peers/test-peers.sh
endif

EXTRA_DIST += \
	tests/peers/PeerHprof.java \
	tests/peers/engine.sha256 \
	tests/peers/ours.mjs \
	tests/peers/package.json \
	tests/peers/peer-memlab.mjs \
	tests/peers/peer-perfetto.mjs \
	tests/peers/same-nodes.mjs \
	tests/peers/test-peers.sh \
	tests/peers/trace-processor.mjs
