#!/bin/sh
# What each thread of a program does, as the program arranged it, by its names: of one that is recorded from its start,
# with a wall clock and without, of one that was attached to, and of one that is not recorded.
. "${srcdir:-.}/tests/mono/lib.sh"
export PROFLOG_MODULE_DIR="$module_dir"
compile thread-stacks
mkfifo "$work/in"

# begin COMMAND...: the program runs, and its threads are where they stay; $pid.
begin ()
{
  rm -f "$work/ready"
  "$@" mono "$exe" <"$work/in" >"$work/ready" 2>"$work/program-err" &
  shell_pid=$!
  exec 7>"$work/in"
  wait_for grep -qs ready "$work/ready"
  pid=$(sed -n 's/^ready //p' "$work/ready")
  sleep 1 # a thread that is about to sleep still runs
}

end ()
{
  exec 7>&-
  wait "$shell_pid" || fail "the program ended with $?"
}

# expect_state NAME STATE METHOD: the thread has the state, and this method below it.
expect_state ()
{
  awk -v name="$1" -v method="$3" '/^[^ ]/ { is_it = $1 == name; if (is_it) print; next } is_it && index ($0, ":" method " (") { print "found" }' \
    "$work/out" >"$work/thread"
  grep -q "^$1 (0x[0-9a-f]*, tid [0-9]*): $2" "$work/thread" || fail "$1: $(head -n 1 "$work/thread"), not $2"
  grep -qx found "$work/thread" || fail "$1 has no $3"
  checks=$((checks + 1))
}

expect_states ()
{
  "$proflog" stacks "$pid" >"$work/out" 2>"$work/err" || fail 'stacks'
  quiet
  expect_state holder sleeps Hold
  expect_state entering 'waits for the lock 0x[0-9a-f]* (System.Object), owned by holder (0x[0-9a-f]*, tid [0-9]*)$' Enter
  expect_state pulsed 'waits for a signal' WaitForPulse
  expect_state sleeper sleeps Sleep
  expect_state joining 'waits for the end of a thread' Join
  expect_state spinner runs Spin
}

begin "$proflog" run --wall -o "$log"
for time in 1 2 3 4 5 6 7 8 9 10; do
  expect_states
done
"$proflog" stacks --format json "$pid" >"$work/page" || fail 'stacks --format json'
"$json_paths" <"$work/page" >"$work/paths" || fail 'no JSON'
grep -q '^threads\[.*\]\.state	runs$' "$work/paths" || fail 'no thread runs'
end
read_figures

# Not recorded; then attached to.
begin env
expect_states
expect_states
"$proflog" attach "$pid" -o "$log" --force 2>"$work/err" || fail 'attach after stacks'
expect_states
"$proflog" detach "$pid" 2>"$work/err" || fail 'detach'
end

begin env
"$proflog" attach "$pid" --wall -o "$log" --force 2>"$work/err" || fail 'attach'
sleep 2
expect_states
"$proflog" detach "$pid" 2>"$work/err" || fail 'detach'
end

# Samples of processor time alone; those for the stacks are not in the log.
begin "$proflog" run --force -o "$log"
for time in 1 2 3 4 5; do
  expect_states
done
end
read_figures
"$proflog" dump "$log" | grep -A 1 'sample hit' >"$work/hits"
! grep -q 'Sampled time' "$work/hits" || fail 'samples by the wall clock'
test "$(figure cpu.hits)" -gt 10 || fail 'no samples'

# Nothing is sampled.
begin "$proflog" run --force --data-version 1 -o "$log"
"$proflog" stacks "$pid" >"$work/out" 2>"$work/err" && fail 'stacks without samples'
grep -q 'no stacks: no samples are recorded' "$work/err" || fail 'the reason'
end
