#!/bin/sh
# VisualVM finds in our .hprof what we find in the graph.
. "${srcdir:-.}/tests/peers/peers.sh"
need java
need_peer visualvm visualvm-heap.jar
format=hprof

visualvm ()
{
  java -Xmx6g -cp "$PROFLOG_PEERS/visualvm-heap.jar" "$peers/PeerHprof.java" "$@"
}

judge_real visualvm
rm -rf "$work/real".*
judge_shape random random "$objects" visualvm
judge_shape shapes shapes "$objects" visualvm
