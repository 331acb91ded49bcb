# steps-lib.sh -- for tests whose programs obey the lines on their input, and answer each with "done".  Sourced
# after a lib.sh.
use_runtime_dir
mkfifo "$work/input"
steps=0 pid= followers=
# After a failure each process ends, also one that is stopped.
trap 'kill -9 $pid $followers 2>/dev/null; rm -rf "$work"' EXIT

# begin_steps COMMAND...: starts the program, which is controlled by file descriptor 7.
begin_steps ()
{
  steps=0
  : >"$work/out"
  "$@" <"$work/input" >"$work/out" 2>"$work/stderr" &
  pid=$! watched=$!
  exec 7>"$work/input"
}

# The program did all steps until now.
is_done ()
{
  test "$(grep -c '^done' "$work/out")" -ge "$steps"
}

# step LINE: has the program do that.
step ()
{
  echo "$1" >&7
  steps=$((steps + 1))
  wait_for is_done
}

# end_steps [STATUS]: there are no more lines, and the program ends with this status, or well.
end_steps ()
{
  exec 7>&-
  wait "$pid"
  status=$?
  pid= watched=
  test "$status" = "${1:-0}" || fail "the program ended with $status"
}

# kill_program: it ends here and now.
kill_program ()
{
  kill -9 "$pid"
  wait "$pid" 2>/dev/null
  pid= watched=
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
