#!/bin/sh
# Perfetto's trace_processor finds in our .perfetto what we find in the graph.
. "${srcdir:-.}/tests/peers/peers.sh"
need node
need_peer trace_processor trace-processor
format=perfetto

trace_processor ()
{
  node "$peers/peer-perfetto.mjs" "$PROFLOG_PEERS/trace-processor" "$@"
}

judge_real trace_processor
rm -rf "$work/real".*
judge_shape random random "$objects" trace_processor
judge_shape shapes shapes "$objects" trace_processor
