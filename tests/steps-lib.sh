# steps-lib.sh -- what tests share whose programs do what lines on their input say, and answer each with
# "done".  Sourced behind a lib.sh.
mkdir -m 700 "$work/runtime"
XDG_RUNTIME_DIR=$work/runtime
export XDG_RUNTIME_DIR
mkfifo "$work/input"
steps=0 pid= followers=
# What a failure leaves behind ends, also what is stopped.
trap 'kill -9 $pid $followers 2>/dev/null; rm -rf "$work"' EXIT

# The program that is waited for has not ended, if there is one.
program_lives ()
{
  test -z "$pid" || grep -q '^State:[^Z]*$' "/proc/$pid/status" 2>/dev/null
}

# wait_until WHAT COMMAND...: two minutes are enough on any machine.
wait_until ()
{
  what=$1 tries=0
  shift
  until "$@"; do
    tries=$((tries + 1))
    test $((tries % 50)) != 0 || program_lives || { cat "$work/stderr"; fail "the program ended before $what"; }
    test "$tries" -lt 6000 || { tail -n 3 "$work"/*.err; fail "waited in vain for $what"; }
    sleep 0.02
  done
}

# begin_steps COMMAND...: starts the program, which is controlled by file descriptor 7.
begin_steps ()
{
  steps=0
  : >"$work/out"
  "$@" <"$work/input" >"$work/out" 2>"$work/stderr" &
  pid=$!
  exec 7>"$work/input"
}

is_done ()
{
  test "$(grep -c '^done' "$work/out")" -ge "$steps"
}

# step LINE: has the program do that.
step ()
{
  echo "$1" >&7
  steps=$((steps + 1))
  wait_until "the program at '$1'" is_done
}

# end_steps [STATUS]: there are no more lines, and the program ends with this status, or well.
end_steps ()
{
  exec 7>&-
  wait "$pid"
  status=$?
  pid=
  test "$status" = "${1:-0}" || { cat "$work/stderr"; fail "the program ended with $status"; }
}

# kill_program: it ends here and now.
kill_program ()
{
  kill -9 "$pid"
  wait "$pid" 2>/dev/null
  pid=
  exec 7>&-
}

# ctl STATUS VERB...: asks the program.
ctl ()
{
  ctl_status=$1
  shift
  "$proflog" ctl "$pid" "$@" >"$work/reply" 2>&1
  status=$?
  test "$status" = "$ctl_status" \
    || fail "ctl $* ended with $status, not $ctl_status: $(cat "$work/reply")"
}

# reader NAME COMMAND...: a proflog that watches, in the background; what it prints is in NAME and NAME.err.
# Its process id is in $reader.
reader ()
{
  reader_output=$work/$1
  shift
  : >"$reader_output"
  : >"$reader_output.err"
  "$proflog" "$@" >"$reader_output" 2>"$reader_output.err" </dev/null 7>&- &
  reader=$!
  followers="$followers $reader"
}

# count_lines TEXT NAME: lines of a reader that have it.
count_lines ()
{
  grep -c -F -e "$1" "$work/$2"
}

has_lines ()
{
  test "$(count_lines "$1" "$2")" -ge "$3"
}

# kill_readers PID...
kill_readers ()
{
  kill -9 "$@" || fail "a reader has ended already"
  for reader; do
    wait "$reader" 2>/dev/null
  done
}

# reader_ended PID WHAT: it ends well by itself.
reader_ended ()
{
  wait "$1" || fail "$2 ended with $?"
}
