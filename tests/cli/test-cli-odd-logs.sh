#!/bin/sh
# Logs with what another log has no room for, or with more than a command retains in memory: one line states it, and
# no part of a result is left.
. "${srcdir:-.}/tests/cli/lib.sh"
write_log=$top_builddir/tests/cli/write-odd-log
test -x "$write_log" || fail "$write_log is not built"
for log in moves header locks mark size caps messages; do
  # shellcheck disable=SC2094 # a word
  "$write_log" $log >$log || fail "$log cannot be written"
done

# refused LINE ARGUMENT...: the command ends with 3 and this line, without output.
refused ()
{
  line=$1
  shift
  run 3 "$@"
  quiet out
  same_lines err "$line"
  set -- made*
  test "$1" = 'made*' || fail "left over: $*"
}

# ---- another log ----
too_long="an event 'gc-move' has 18874366 bytes; there may be 16777216"
run 0 check --strict moves
refused "proflog convert: moves: $too_long" convert -q --data-version 1 moves -o made
refused "proflog cut: moves: $too_long" cut -q --time-range 0~100% moves -o made
refused "proflog anonymize: moves: $too_long" anonymize -q moves -o made
refused "proflog merge: moves: $too_long" merge -q header moves -o made.mlpd
no_room='an event 58 cannot be written: it has 69994 bytes, and there is room for 65535'
refused "proflog convert: mark: $no_room" convert -q --to ghc mark -o made
refused "proflog merge: mark: $no_room" merge -q mark "$logs/small.eventlog" -o made.eventlog
refused "proflog convert: size: the field 'size' of an event 'gc-resize' is 562949953421312; data version 17 has room \
for at most 562949953421311" convert -q --to mono size -o made
refused "proflog merge: there are not numbers enough for all capabilities: those of log 2 go up to 1, and those of the \
logs before it to 65534; the highest can be 65534" merge -q caps "$logs/small.eventlog" -o made.eventlog
overwrite size 8 x
refused "proflog: size: the header of the eventlog is damaged: at offset 8 no type of events begins (bytes \
78746200)" merge -q caps size -o made.eventlog

# ---- memory ----
run 0 report locks
same_lines err "proflog: locks: warning: types are searched for 1048576 exceptions and lock events at most; those of 3 more \
are not shown"
TMPDIR=$work/none && export TMPDIR
run 3 show threads messages
grep -q "^proflog show: Failed to create file .*$work/none/proflog-[A-Za-z0-9]\{6\}.*: No such file or directory$" err ||
  fail "$(cat err)"
# Where gcov counts, its own messages are longer than the file of the messages may be.
if test "${SANITIZER:-no}" = no; then
  TMPDIR=$work
  (
    trap '' XFSZ
    ulimit -f 1
    run_into /dev/null 3 show threads messages
  ) || exit 1
  same_lines err "proflog show: a temporary file in $work cannot be written: File too large"
fi
unset TMPDIR

# ---- streams ----
# One that ends before it can be recognised.
printf abc | run 3 follow -q - || exit 1
same_lines err 'proflog follow: standard input: not a profiler log: it has 3 bytes, the shortest log has 32'

# ---- sums beyond 64 bits ----
need python3
for cap in 0 1 2; do
  echo "$cap 1000 allocated 9223372036854775807"
done | python3 "$tests/cli/make-eventlog.py" much.eventlog
run 0 report -q much.eventlog
says out '18.4 EB'
tr '\n' ' ' <out | tr -s ' ' >line
says line 'a sum is too large for 64 bits, and stands at 18446744073709551615'
run 0 stats -q much.eventlog
says out '(a sum is too large for 64 bits, and stands there)'
run 0 top --once much.eventlog
says out '(18.4 EB)'
done_checks
