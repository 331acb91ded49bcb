#!/bin/sh
# Perfetto's trace_processor, memlab and VisualVM find in our exports what we find in the graph:
# names, sizes, what is reached, dominators, retained sizes, lengths of shortest paths.
#
# PROFLOG_PEERS is the folder that scripts/get-peers made; PROFLOG_PEER_OBJECTS how many objects the
# made graphs have, more or less.
if test -z "${PROFLOG_PEERS-}"; then
  echo 'SKIP: PROFLOG_PEERS names no folder with the peers; scripts/get-peers makes one'
  exit 77
fi
. "${srcdir:-.}/tests/mono/lib.sh"
need node java
peers=${srcdir:-.}/tests/peers
graph=$top_builddir/tests/peers/peer-graph
objects=${PROFLOG_PEER_OBJECTS:-200000}

# judge NAME PEER...: what each peer says of $work/NAME.FORMAT.
judge ()
{
  name=$1
  shift
  for peer; do
    case $peer in
      visualvm)
        java -Xmx6g -cp "$PROFLOG_PEERS/visualvm-heap.jar" "$peers/PeerHprof.java" \
          "$work/$name.nodes" "$work/$name.hprof" >"$work/out" 2>"$work/err" ;;
      memlab)
        node --max-old-space-size=6000 "$peers/peer-memlab.mjs" "$PROFLOG_PEERS" \
          "$work/$name.nodes" "$work/$name.heapsnapshot" >"$work/out" 2>"$work/err" ;;
      perfetto)
        node "$peers/peer-perfetto.mjs" "$PROFLOG_PEERS/trace-processor" \
          "$work/$name.nodes" "$work/$name.perfetto" >"$work/out" 2>"$work/err" ;;
    esac
    status=$?
    grep ' wrong$' "$work/out" | sed "s/^/$name: /"
    test "$status" = 0 && continue
    grep -v 'QueryResult field' "$work/err" | cut -c1-300 | head -n 40
    fail "$name: $peer does not agree"
  done
}

# shape NAME SHAPE COUNT PEER...: makes a graph and has it judged.
shape ()
{
  made=$1 shape=$2 count=$3
  shift 3
  for format in nodes heapsnapshot hprof perfetto; do
    "$graph" "$shape" "$count" 1 "$format" >"$work/$made.$format" || fail "peer-graph $shape $format"
  done
  judge "$made" "$@"
  rm -rf "$work/$made".*
}

# A shot of a real program, as the command writes it.
compile forest
PROFLOG_MODULE_DIR=$module_dir "$proflog" run --heapshot -o "$log" mono "$programs/forest.exe" \
  >"$truth" 2>"$work/err" || { cat "$work/err"; fail 'proflog run'; }
"$graph" "$log" nodes >"$work/real.nodes" || fail 'peer-graph of the log'
test "$(wc -l <"$work/real.nodes")" -ge 100000 || fail 'the program has too few objects'
test "$(grep -c '	Probe.Tree$' "$work/real.nodes")" = "$(told trees)" || fail 'trees are missing'
for format in heapsnapshot hprof perfetto; do
  "$proflog" export --format "$format" "$log" -o "$work/real.$format" || fail "export $format"
done
judge real visualvm memlab perfetto

# What `heap dominators` tells is what was judged.
"$proflog" heap dominators "$log" --format json --limit 0 >"$work/real.json" || fail 'heap dominators'
node "$peers/same-nodes.mjs" "$work/real.nodes" "$work/real.json" || fail 'heap dominators differ'
rm -rf "$work/real".*

shape random random "$objects" visualvm memlab perfetto
shape shapes shapes "$objects" visualvm perfetto
shape chain shapes 1000000 memlab
