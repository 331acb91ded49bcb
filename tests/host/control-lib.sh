# control-lib.sh -- what the tests of the control socket share, after host-lib.sh.
control_peer=$PWD/tests/host/control-peer
use_runtime_dir
running=
# A host that is left behind by a failure ends.
trap 'touch "$work/go"; [ -z "$running" ] || kill -9 "$running"; rm -rf "$work"' EXIT

# start_host_without OPTIONS COMMANDS: runs them after world.scn, in the background; it is in $pid.
start_host_without () {
  rm -f "$work/go" "$log"
  : >"$work/out"
  { echo 'print "the world is there"'; echo "$2"; } >"$work/started.scn"
  "$host" --module "$module" --profile="proflog:output=$log,$1" --truth "$truth" \
    "$scenarios/world.scn" "$work/started.scn" >"$work/out" 2>"$work/err" &
  pid=$! running=$! watched=$!
  socket=$XDG_RUNTIME_DIR/proflog-$pid.control
  wait_for grep -q "the world is there" "$work/out"
}

start_host () {
  start_host_without "$@"
  [ -S "$socket" ] || fail "it does not listen"
}

# until_printed TEXT: waits for a line of the program.
until_printed () {
  wait_for grep -qx "$1" "$work/out"
}

# stop_host: what awaits $work/go goes on; the program ends.
stop_host () {
  touch "$work/go"
  status=0
  wait "$pid" || status=$?
  running= watched=
  [ "$status" = 0 ] || fail "exit status $status"
  ! grep -q Sanitizer "$work/err" || fail "a sanitizer complains"
}

# ctl STATUS VERB...: a request to the program; ctl_json the same in JSON; ctl_of PID to another one.
ctl_of () {
  process=$1 wanted=$2
  shift 2
  status=0
  "$proflog" ctl "$process" "$@" >"$work/reply" 2>&1 || status=$?
  [ "$status" = "$wanted" ] \
    || fail "$* ended with $status instead of $wanted: $(cat "$work/reply")"
}

ctl () {
  ctl_of "$pid" "$@"
}

ctl_json () {
  wanted=$1
  shift
  status=0
  "$proflog" ctl --format json "$pid" "$@" >"$work/reply" 2>&1 || status=$?
  [ "$status" = "$wanted" ] || fail "$* ended with $status instead of $wanted"
}

# status_has TEXT: in a line of the status.
status_has () {
  ctl 0 status -v
  grep -qx -- "$1" "$work/reply"
}

# peer TEXT: sends it as it is.
peer () {
  printf %s "$1" | "$control_peer" "$socket" >"$work/reply" || fail "no connection"
}

# go_on NAME: a case with the same program and log.
go_on () {
  case=$1
  echo "case: $case"
}
