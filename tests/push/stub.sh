# stub.sh -- a server of profiles on loopback, and what it got.  Sourced by tests that run in $work.
need python3
PROFLOG_PEERS=${PROFLOG_PEERS:-$top_builddir/../peers}
test -x "$PROFLOG_PEERS/pprof" || { leave_out pprof "is not in $PROFLOG_PEERS; scripts/get-peers gets it"; exit 77; }

# start_stub: its address is $url; what it gets is in requests/.
start_stub ()
{
  mkdir requests
  python3 "$tests/push/profile-stub.py" "$work/port" "$work/requests" >stub.out 2>&1 &
  stub=$!
  trap 'kill $stub 2>/dev/null; rm -rf "$work"' EXIT
  wait_for test -s port
  url=http://127.0.0.1:$(cat port)
}

# samples FILE: how many stacks a profile has, and the sum of the last of their values, as pprof shows them.
samples ()
{
  "$PROFLOG_PEERS/pprof" -raw "$1" >raw 2>raw.err || fail "pprof cannot read $1: $(cat raw.err)"
  awk '/^Locations/ { exit }
    /^ *[0-9]+.*: / { sub (/:.*/, ""); sums++; total += $NF }
    END { printf "%d %.0f\n", sums, total }' raw
}
