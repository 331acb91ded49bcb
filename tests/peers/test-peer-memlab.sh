#!/bin/sh
# memlab finds in our .heapsnapshot what we find in the graph; and so does `heap dominators`.
. "${srcdir:-.}/tests/peers/peers.sh"
need node
need_peer memlab node_modules
format=heapsnapshot

memlab ()
{
  node --max-old-space-size=6000 "$peers/peer-memlab.mjs" "$PROFLOG_PEERS" "$@"
}

judge_real memlab
"$proflog" heap dominators "$log" --format json --limit 0 >"$work/real.json" || fail 'heap dominators'
node "$peers/same-nodes.mjs" "$work/real.nodes" "$work/real.json" || fail 'heap dominators differ'
rm -rf "$work/real".*
judge_shape random random "$objects" memlab
judge_shape chain shapes 1000000 memlab
