#!/bin/sh
# What a program sees, prints and ends with is the same with the module and without.
. "${srcdir:-.}/tests/mono/lib.sh"

for program in environment hello ends descriptors; do
  compile "$program"
done

# The environment as the program sees it, its directory, arguments, input and exit status.
# Variables that every shell or the run itself changes are left out.

# plain COMMAND...: without the module.
plain ()
{
  echo input | "$@" >"$work/plain" 2>"$work/plain.err"
  echo "status $?" >>"$work/plain"
}

# as_plain COMMAND...: with the module all is the same.
as_plain ()
{
  echo input | "$@" >"$work/profiled" 2>"$work/profiled.err"
  echo "status $?" >>"$work/profiled"
  diff "$work/plain" "$work/profiled" || fail "the program does not see the same: $*"
  grep -v '^proflog run: ' "$work/profiled.err" | diff "$work/plain.err" - \
    || fail "standard error is not the same: $*"
}

environment=$programs/environment.exe
cd "$work" || exit 1

# proflog run, with the variable unset, empty and set.
unset LD_LIBRARY_PATH
for value in unset '' /some/where:/else; do
  statuses=0 # which do not depend on the variable
  if test "$value" = unset; then statuses='0 42'; else export LD_LIBRARY_PATH="$value"; fi
  for status in $statuses; do
    plain mono "$environment" "$status" 'a b' '*'
    for options in '' --allocs --calls '--heapshot=1gc --allocs --calls'; do
      # shellcheck disable=SC2086
      as_plain "$proflog" run $options --force -o "$log" mono "$environment" "$status" 'a b' '*'
      check_log
      rm -f "$log"
    done
  done
  unset LD_LIBRARY_PATH
done

# Options of the runtime's own in the environment, which recording stacks adds to.
export MONO_ENV_OPTIONS='--optimize=inline'
plain mono "$environment" 0 x
as_plain "$proflog" run --allocs --force -o "$log" mono "$environment" 0 x
check_log
rm -f "$log"
unset MONO_ENV_OPTIONS

# By hand: LD_LIBRARY_PATH is then the user's own and stays.
export LD_LIBRARY_PATH="$module_dir"
plain mono "$environment" 3 x
as_plain mono "--profile=proflog:alloc,calls,output=$log" "$environment" 3 x
check_log
unset LD_LIBRARY_PATH

# A program that closes what it has not opened keeps its own files to itself; ours ends with a word.
for output in "$log" "$work/log-%p.mlpd,rotate=1M,flush=5ms" "$log,zip" "$log,spool=none" "|dd of=$work/copy status=none"; do
  for when in '' late; do
    rm -rf "$work/own" "$log"
    mkdir "$work/own"
    # shellcheck disable=SC2086
    LD_LIBRARY_PATH=$module_dir mono "--profile=proflog:alloc,output=$output" \
      "$programs/descriptors.exe" "$work/own" $when >"$work/profiled" 2>"$work/profiled.err"
    test $? = 7 || fail "another exit status with output=$output $when"
    test "$(cat "$work/profiled")" = "done" || fail "another output with output=$output $when"
    for file in "$work"/own/mine.*; do
      test "$(cat "$file")" = ABC || fail "something was written into the program's files: output=$output $when"
    done
    test "$(ls "$work"/own | wc -l)" = 20 || fail "not the program's files"
    # If the file was full as it was closed, the log goes on in the next one.
    stated='is incomplete: Bad file descriptor after [0-9]* bytes; [0-9]* events are lost'
    case $output in *rotate=*) stated="\($stated\|has no end: Bad file descriptor\$\)" ;; esac
    test "$(grep -c "^proflog: log .* $stated" "$work/profiled.err")" = 1 \
      || fail "nothing states that the recording ended: output=$output $when"
  done
done

# Nor does it end later: the thread that waits for requests has lost its socket.  Of three runs one is not held up by
# others that work here.
late=1
for round in 1 2 3; do
  rm -rf "$work/own" "$log"
  mkdir "$work/own"
  begun=$(date +%s%N)
  mono "$programs/descriptors.exe" "$work/own" >"$work/profiled"
  alone=$(($(date +%s%N) - begun))
  rm -rf "$work/own"
  mkdir "$work/own"
  begun=$(date +%s%N)
  LD_LIBRARY_PATH=$module_dir mono "--profile=proflog:output=$log" "$programs/descriptors.exe" "$work/own" \
    >"$work/profiled" 2>"$work/profiled.err"
  test $(($(date +%s%N) - begun - alone)) -ge 900000000 || late=0
done
test "$late" = 0 || fail "a program that closes all files ends late"

# An unhandled exception ends it as ever; the addresses in the message may differ.
plain mono "$programs/ends.exe" unhandled
sed -i 's/0x[0-9a-f]*//g' "$work/plain.err"
echo input | "$proflog" run --force -o "$log" mono "$programs/ends.exe" unhandled >"$work/profiled" 2>"$work/profiled.err"
echo "status $?" >>"$work/profiled"
diff "$work/plain" "$work/profiled" || fail "an unhandled exception ends the program otherwise"
grep -v '^proflog run: ' "$work/profiled.err" | sed 's/0x[0-9a-f]*//g' | diff "$work/plain.err" - \
  || fail "an unhandled exception is reported otherwise"
rm -f "$log"

# What cannot be: one line on standard error, and the program keeps running.
echo keep >"$work/victim"
ln -s "$work/victim" "$work/link"
mkdir "$work/directory"
for options in nonsense gc=3 nonsense,alloc heapshot=5xs heapshot=0gc maxframes=33 maxframes= \
               calldepth=x callspec=Q:x "output=$work/none/log" "output=$work/directory" \
               "output=$work/link" 'output=#99' 'output=' 'output=a%z' "output='a"; do
  profiled "$options" hello >"$work/out" 2>"$work/err"
  status=$?
  test "$status" = 0 || fail "$options: the program ended with $status"
  test "$(cat "$work/out")" = hello || fail "$options: the program does not print hello"
  test "$(wc -l <"$work/err")" = 1 || { cat "$work/err"; fail "$options: not one line on standard error"; }
  grep -q '^proflog: ' "$work/err" || { cat "$work/err"; fail "$options: the line is not ours"; }
done
test "$(cat "$work/victim")" = keep || fail "a symbolic link was followed"
for file in output.mlpd a z; do
  test ! -e "$work/$file" || fail "'$file' was written"
done

# A full disk, and a reader that goes away.
if test -w /dev/full; then
  profiled alloc,output=/dev/full hello >"$work/out" 2>"$work/err"
  status=$?
  test "$status" = 0 && test "$(cat "$work/out")" = hello || fail "a full disk harms the program"
  test "$(wc -l <"$work/err")" = 1 || { cat "$work/err"; fail "a full disk is not reported in one line"; }
fi
compile alloc
mkfifo "$work/fifo"
head -c 100 "$work/fifo" >/dev/null &
head_pid=$!
sleep 0.2
profiled "alloc,output=$work/fifo" alloc >"$work/out" 2>"$work/err"
status=$?
wait "$head_pid"
test "$status" = 0 && grep -q '^objects 200000$' "$work/out" || fail "a reader that goes harms the program ($status)"
test "$(wc -l <"$work/err")" = 1 \
  && grep -q 'is incomplete: Broken pipe after [0-9]* bytes; [0-9]* events are lost$' "$work/err" \
  || { cat "$work/err"; fail "a reader that goes is not reported in one line"; }

# A log is its owner's alone.
(umask 0; profiled "output=$log" hello >/dev/null 2>&1)
check_log
test "$(stat -c %a "$log")" = 600 || fail "the log has the mode $(stat -c %a "$log")"

# Without standard output and error the program writes nowhere: not into the log, and neither do
# we into what it opens.
profiled "output=$log" hello >&- 2>&-
status=$?
test "$status" = 0 || fail "without standard output the program ended with $status"
read_figures
echo "programs are unharmed"
