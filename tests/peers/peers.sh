# peers.sh -- what the tests of exports with other readers share.  Sourced by each of them.
#
# A peer finds in our exports what we find in the graph: names, sizes, what is reached, dominators,
# retained sizes, lengths of shortest paths.
#
# PROFLOG_PEERS is the folder that scripts/get-peers made; PROFLOG_PEER_OBJECTS how many objects the
# made graphs have, more or less; PROFLOG_PEER_LOG is a log to judge instead of those of the test.
. "${srcdir:-.}/tests/mono/lib.sh"
PROFLOG_PEERS=${PROFLOG_PEERS:-$top_builddir/../peers}
peers=$tests/peers
graph=$top_builddir/tests/peers/peer-graph
objects=${PROFLOG_PEER_OBJECTS:-200000}
given=${PROFLOG_PEER_LOG:-}

# need_peer NAME FILE...: skips the test unless scripts/get-peers got it.
need_peer ()
{
  peer=$1
  shift
  for file; do
    test -e "$PROFLOG_PEERS/$file" && continue
    leave_out "$peer" "is not in $PROFLOG_PEERS; scripts/get-peers gets it"
    exit 77
  done
}

# path_of LOG: of one of tests/logs, or of any.
path_of ()
{
  case $1 in
    /*) printf '%s\n' "$1" ;;
    *) printf '%s\n' "$tests/logs/$1" ;;
  esac
}

# judge_given COMMAND...: judges the given log, if there is one, and ends.
judge_given ()
{
  test -n "$given" || return 0
  "$@" "$given" || exit
  exit 0
}

# judge NAME COMMAND...: the peer, which is run by the command, agrees on $work/NAME.$format.
judge ()
{
  name=$1
  shift
  "$@" "$work/$name.nodes" "$work/$name.$format" >"$work/out" 2>"$work/err"
  status=$?
  grep ' wrong$' "$work/out" | sed "s/^/$name: /"
  test "$status" = 0 && return
  grep -v 'QueryResult field' "$work/err" | cut -c1-300 | head -n 40
  fail "$name: $peer does not agree"
}

# judge_shape NAME SHAPE COUNT COMMAND...: makes a graph and has it judged.
judge_shape ()
{
  made=$1 shape=$2 count=$3
  shift 3
  for kind in nodes "$format"; do
    "$graph" "$shape" "$count" 1 "$kind" >"$work/$made.$kind" || fail "peer-graph $shape $kind"
  done
  judge "$made" "$@"
  rm -rf "$work/$made".*
}

# record_forest: $log has a snapshot of a real program, whose objects are in $work/real.nodes.
record_forest ()
{
  compile forest
  PROFLOG_MODULE_DIR=$module_dir "$proflog" run --heapshot -o "$log" mono "$programs/forest.exe" \
    >"$truth" 2>"$work/err" || fail 'proflog run'
  "$graph" "$log" nodes >"$work/real.nodes" || fail 'peer-graph of the log'
  test "$(wc -l <"$work/real.nodes")" -ge 100000 || fail 'the program has too few objects'
  test "$(grep -c '	Probe.Tree$' "$work/real.nodes")" = "$(printed trees)" || fail 'trees are missing'
}

# judge_real COMMAND...: a snapshot of a real program, as the command writes it; $work/real.nodes stays.
judge_real ()
{
  if test -n "$given"; then
    log=$given
    "$graph" "$log" nodes >"$work/real.nodes" || fail 'peer-graph of the log'
  else
    record_forest
  fi
  "$proflog" export --format "$format" "$log" -o "$work/real.$format" || fail "export $format"
  judge real "$@"
  test -z "$given" || exit 0
}

# judge_reports FORMAT SCRIPT ENGINE LOG... [-- OPTION...]: the script, with the peer's engine, finds in the
# trace of the logs, with the options, what their reports have.
judge_reports ()
{
  format=$1 script=$2 engine=$3
  shift 3
  traced='' reports=''
  while test $# -gt 0 && test "$1" != --; do
    traced="$traced $(path_of "$1")"
    shift
  done
  test $# = 0 || shift
  "$proflog" export -q --format "$format" "$@" -o "$work/trace" --force $traced || fail "export $format $traced"
  for log in $traced; do
    "$proflog" report -q --format json --limit 0 "$@" "$log" >"$work/$(basename "$log").json" || fail "report $log"
    reports="$reports $work/$(basename "$log").json"
  done
  node "$script" "$engine" "$work/trace" $reports >"$work/out" 2>"$work/err" && return
  cat "$work/out"
  grep -v 'QueryResult field' "$work/err" | cut -c1-300 | head -n 40
  fail "$peer does not agree: $format $traced $*"
}
