#!/bin/sh
# Whatever kills the process, what was recorded until then is in its log and spool together.
. "${srcdir:-.}/tests/host/host-lib.sh"

spool=$log.spool

# ending COMMAND...: a scenario that ends so.
ending () {
  echo "$*" >"$work/end.scn"
  echo "sleep 10000" >>"$work/end.scn"
  echo "$work/end.scn"
}

# killed STATUS OPTIONS SCENARIO...: a run that ends suddenly and leaves its spool.
killed () {
  wanted_status=$1 options=$2
  shift 2
  host_run "$wanted_status" "proflog:output=$log,$options" "$scenarios/world.scn" "$@" 2>/dev/null
  module_was_loaded
  [ -f "$spool" ] || fail "no spool is left"
  [ "$(stat -c %a "$spool")" = 400 ] || fail "the spool's mode is $(stat -c %a "$spool")"
}

# endless FILE: the scenario without its shutdown.
endless () {
  grep -v '^shutdown' "$1" >"$work/endless.scn"
  echo "$work/endless.scn"
}

begin "a regular end leaves the log alone"
record alloc "$parallel"
[ ! -e "$spool" ] || fail "the spool is left"

# Each thread's last events are in a buffer that no one has written.
for options in alloc alloc,zip; do
  for end in "137 kill 9" "134 kill 6" "139 kill 11" "143 kill 15" "3 _exit 3"; do
    begin "$options: ${end#* }"
    # The sanitizers catch others, and take long.
    case ${SANITIZER:-no}:$end in no:* | *:137* | *:143* | *:3*) ;; *) continue ;; esac
    # shellcheck disable=SC2086
    killed ${end%% *} "$options" "$scenarios/busy.scn" "$(ending ${end#* })"
    ! grep "^proflog" "$work/err" || fail "the module complains"
    check same=alloc,monitor,exception_throw alloc:Program.Node=10 alloc:Program.Node/Leaf=10000 \
      alloc:System.String=1
  done
done

begin "names that wait to be written"
killed 137 alloc "$scenarios/lately-named.scn" "$(ending kill 9)"
[ "$(stat -c %s "$log")" -lt 200 ] || fail "the log is written already: the test proves nothing"
check same=alloc,metadata_class,metadata_image,method_jit alloc:Late.A=1 \
  "frames:alloc:Program.Node:Main (string[]);Program.Node:Work (int);Program.Node/Leaf:Step ()=1"

begin "names that come late, go, and are strange"
killed 137 alloc,clauses "$(endless "$scenarios/names.scn")" "$(ending kill 9)"
check same=alloc,exception_clause,metadata_class,metadata_image,method_jit

begin "names of 100,000 bytes"
killed 137 alloc "$(endless "$scenarios/long-names.scn")" "$(ending kill 9)"
check same=alloc,exception_throw,monitor,metadata_image,method_jit alloc=4

begin "heap snapshots"
killed 137 heapshot,format=1 "$scenarios/heap.scn" "$(endless "$scenarios/shots.scn")" "$(ending kill 9)"
check same=heap_object,heap_reference,gc_event

begin "many threads that have ended"
killed 137 alloc "$(endless "$parallel")" "$(ending kill 9)"
check same=alloc alloc=$all

begin "children do not touch it"
killed 137 alloc "$(endless "$scenarios/fork.scn")" "$(ending kill 9)"
check same=alloc alloc=4 alloc:System.String=4 monitor=0

# info_says STATUS PATTERN: of `proflog info --strict`.
info_says () {
  status=0
  "$PWD/proflog" info --strict "$log" >"$work/out" 2>"$work/err" || status=$?
  grep -q "$2" "$work/err" || fail "proflog info does not say: $2"
  [ "$status" = "$1" ] || fail "proflog info ended with $status"
}

begin "reading commands report it"
killed 137 alloc "$scenarios/busy.scn" "$(ending kill 9)"
info_says 0 "^proflog: $spool was read, too: the program did not end normally; [1-9][0-9]* buffers and [0-9]* names were not in the log\$"
grep -qx "  Complete  *yes" "$work/out" || fail "the log is not complete"

begin "what neither has"
killed 137 alloc "$scenarios/busy.scn" "$(ending kill 9)"
size=$(stat -c %s "$log")
truncate -s 5000 "$log"
# The last buffer of the log may have been in both.
info_says 4 "log.mlpd.spool was read, too: .*, and [0-9]* bytes are in neither"
lost=$(sed -n 's/.* and \([0-9]*\) bytes are in neither.*/\1/p' "$work/err")
[ "$lost" -le $((size - 5000)) ] && [ "$lost" -ge $((size - 5000 - 65536)) ] \
  || fail "$lost of $size bytes are in neither"

begin "a damaged spool"
killed 137 alloc "$scenarios/busy.scn" "$(ending kill 9)"
head -c 200 /dev/urandom | dd of="$spool" bs=1 seek=65536 conv=notrunc 2>/dev/null
info_says 4 "log.mlpd.spool was read, too: .*; 1 of its parts are damaged or not there"
size=$(stat -c %s "$spool")
truncate -s 150000 "$spool"
# The last one may have been made and not be counted yet.
parts=$((size / 65536 - 1))
info_says 4 "log.mlpd.spool was read, too: .*; \($parts\|$((parts - 1))\) of its parts are damaged"
truncate -s 100 "$spool"
info_says 4 "log.mlpd.spool: is no spool of the profiler"

# A sanitizer has calls of its own.
if [ "${SANITIZER:-no}" = no ]; then
  begin "calls of the system that fail"
  killed 137 alloc "$scenarios/lately-named.scn" "$(ending kill 9)"
  . "$tests/torture/lib.sh"
  (
    cd "$work" || exit
    mode=once kind=read
    says_once 0 "proflog: log.mlpd.spool: reading it at offset 0 failed (Input/output error)*" info log.mlpd
    says_once 0 "proflog: log.mlpd.spool: [0-9]* bytes at [0-9]* cannot be read*" info log.mlpd
    says_once 0 "proflog: log.mlpd.spool was skipped: log.mlpd: reading it at offset 0 failed (Input/output error)*" \
      info log.mlpd
    says_once 3 "proflog follow: log.mlpd: reading it at offset 0 failed (Input/output error)" \
      follow -q --timeout 1ms log.mlpd
    kind=stat
    says_once 0 "proflog: log.mlpd.spool: Permission denied*" info log.mlpd
    kind=open
    says_once 0 "proflog: log.mlpd.spool: Too many open files*" info log.mlpd
  ) || exit
  truncate -s 100 "$spool"
fi

begin "the next run replaces what is left"
[ -f "$spool" ] || fail "no spool is left"
record alloc "$parallel"
check same=alloc
[ ! -e "$spool" ] || fail "the spool is left"

begin "one that a killed process had hardly begun"
for size in 0 65536; do
  truncate -s "$size" "$spool"
  record alloc "$scenarios/nothing.scn"
  [ ! -e "$spool" ] || fail "it is left"
done

begin "a spool of another log"
killed 137 alloc "$scenarios/busy.scn" "$(ending kill 9)"
mv "$spool" "$work/other.spool"
record alloc "$parallel"
mv "$work/other.spool" "$spool"
check same=alloc
rm "$spool"

begin "something else in its place"
echo precious >"$spool"
host_run 7 "proflog:output=$log" "$scenarios/exit-7.scn"
one_line "no spool: .*log.mlpd.spool: File exists"
[ "$(cat "$spool")" = precious ] || fail "it was written"
check same=monitor monitor=2
rm "$spool"

begin "a symbolic link in its place"
echo precious >"$work/target"
ln -s target "$spool"
host_run 7 "proflog:output=$log" "$scenarios/exit-7.scn"
one_line "no spool: .*log.mlpd.spool"
[ "$(cat "$work/target")" = precious ] || fail "its target was written"
[ -L "$spool" ] || fail "the link is gone"
check same=monitor monitor=2
rm "$spool"

begin "a process that runs"
grep -v '^kill\|^sleep' "$scenarios/killed.scn" >"$work/killed.scn"
rm -f "$truth"
"$host" --module "$module" --profile="proflog:output=$log,alloc" --truth "$truth" \
  "$scenarios/world.scn" "$work/killed.scn" "$(ending sleep 600000)" >/dev/null 2>&1 &
running=$!
has_begun () {
  [ "$(stat -c %s "$log" 2>/dev/null || echo 0)" -gt 200000 ]
}
wait_for has_begun
info_says 0 "^proflog: .*log.mlpd: process $running is still writing it$"
! grep -q "Damage" "$work/out" || fail "it is damaged"

begin_second () {
  case=$1
  echo "case: $case"
  size=$(stat -c %s "$log")
}

# second PATTERN: a program with the same output leaves the log alone, and reports why.
second () {
  saved_truth=$truth
  truth=$work/second-truth
  host_run 7 "proflog:output=$log,alloc" "$scenarios/exit-7.scn"
  truth=$saved_truth
  one_line "output '$log': $1 writes its log there; the program runs unprofiled\$"
  [ "$(stat -c %s "$log")" -ge "$size" ] || fail "the log was cut"
  [ -f "$spool" ] || fail "the spool is gone"
}

begin_second "a second program with the same output"
second "process $running"
kill -9 "$running"
wait "$running" 2>/dev/null || :
info_says 0 "log.mlpd.spool was read, too"

begin "a directory of its own"
mkdir "$work/spools"
host_run 7 "proflog:output=$log,spool=$work/spools" "$scenarios/exit-7.scn"
one_line "if the program is killed, its last events are in $work/spools/proflog-[0-9]*\.spool"
check same=monitor monitor=2
[ -z "$(ls "$work/spools")" ] || fail "the spool is left"
host_run 137 "proflog:output=$log,alloc,spool=$work/spools" "$scenarios/world.scn" \
  "$scenarios/busy.scn" "$(ending kill 9)" 2>/dev/null
for named in "$log $work/spools/*.spool" "$work/spools/*.spool $log"; do
  # shellcheck disable=SC2086
  "$PWD/proflog" repair --force --strict -o "$work/whole.mlpd" $named 2>"$work/err" \
    || fail "repair ended with $?"
  grep -q "proflog-[0-9]*\.spool was read, too" "$work/err" || fail "the spool is not taken in"
  "$check_log" "$work/whole.mlpd" truth="$truth" same=alloc,monitor,exception_throw \
    || fail "it is not whole"
done
head -c 32 "$work/whole.mlpd" | tr '\000' '\001' >"$work/other.mlpd"
for quiet in "" -q; do
  status=0
  # shellcheck disable=SC2086
  "$PWD/proflog" repair $quiet -o "$work/none.mlpd" "$work/other.mlpd" "$work/spools"/*.spool \
    2>"$work/err" || status=$?
  [ "$status" = 3 ] || fail "the spool of another log: status $status"
  one_line "belongs to another log and was skipped"
  [ ! -e "$work/none.mlpd" ] || fail "it was written"
done
status=0
"$PWD/proflog" repair "$work/spools"/*.spool - <"$log" >/dev/null 2>"$work/err" || status=$?
[ "$status" = 3 ] || fail "behind standard input: status $status"
one_line "a spool can be appended only to a log in a file"
mv "$work/spools"/proflog-*.spool "$spool"
check same=alloc,monitor,exception_throw
rm "$spool"

begin "a program that changes its directory"
cat >"$work/change.scn" <<END
directory /
fire gc_allocation nodes[0]
END
(
  cd "$work" || exit
  host_run 7 "proflog:output=log.mlpd,alloc,spool=spools" "$scenarios/world.scn" \
    "$work/change.scn" "$scenarios/exit-7.scn"
)
one_line "if the program is killed, its last events are in $work/spools/proflog-[0-9]*\.spool"
check same=alloc,monitor alloc=1
[ -z "$(ls "$work/spools")" ] || fail "the spool is left"

begin "directories that are renamed meanwhile"
rm -f "$work/here" "$work/go"
mkdir "$work/before"
for place in beside "$work/before"; do
  options=alloc
  [ "$place" = beside ] || options=alloc,spool=$place
  printf 'print "here"\nawait %s\n' "$work/go" >"$work/await.scn"
  : >"$work/out"
  "$host" --module "$module" --profile="proflog:output=$work/before/log.mlpd,$options" \
    --truth "$truth" "$scenarios/world.scn" "$work/await.scn" "$scenarios/nothing.scn" \
    >"$work/out" 2>"$work/err" &
  running=$!
  wait_for grep -q here "$work/out"
  [ "$(ls "$work"/before/*.spool | wc -l)" = 1 ] || fail "$place: no spool"
  mv "$work/before" "$work/after"
  touch "$work/go"
  wait "$running" || fail "$place: it ended with $?"
  [ "$(ls "$work/after")" = log.mlpd ] || fail "$place: $(ls "$work/after")"
  mv "$work/after" "$work/before"
  rm "$work/before/log.mlpd" "$work/go"
done

begin "a directory that is not there"
host_run 7 "proflog:output=$log,spool=$work/none" "$scenarios/exit-7.scn"
one_line "no spool: $work/none/proflog-[0-9]*\.spool: No such file or directory"
check same=monitor monitor=2

begin "none"
host_run 7 "proflog:output=$log,spool=none" "$scenarios/exit-7.scn"
quiet
check same=monitor monitor=2
host_run 137 "proflog:output=$log,alloc,spool=none" "$scenarios/world.scn" "$scenarios/busy.scn" \
  "$(ending kill 9)" 2>/dev/null
[ ! -e "$spool" ] || fail "there is one"

# piped: the log of a killed program that went through a FIFO, with $work/runtime as the user's directory.
mkfifo "$work/fifo"
mkdir -m 700 "$work/runtime"
piped () {
  cat "$work/fifo" >"$log" &
  reader=$!
  exec 6>"$work/fifo"
  (
    exec 6>&-
    XDG_RUNTIME_DIR=$work/runtime
    export XDG_RUNTIME_DIR
    host_run 137 "proflog:output=$work/fifo,alloc" "$scenarios/world.scn" "$scenarios/busy.scn" \
      "$(ending kill 9)" 2>/dev/null
  )
  exec 6>&-
  wait "$reader"
  sed -i '/^Killed/d' "$work/err" # the shell's
  quiet
}

# finds DIRECTORY: readers of the log name the spool that is there, and repair adds it.
finds () {
  (
    XDG_RUNTIME_DIR=$work/runtime
    export XDG_RUNTIME_DIR
    info_says 4 "^proflog: $1/proflog-[0-9]*\.spool has events that this log may lack: 'proflog repair $log $1/proflog-[0-9]*\.spool -o FILE' adds them\$"
    # The log of another program lacks none of them.
    head -c 32 "$log" | tr '\000' '\001' >"$work/other.mlpd"
    ! "$PWD/proflog" info "$work/other.mlpd" 2>&1 | grep "has events" || fail "it is found for another log"
  ) || exit 1
  found=$(sed -n "s/^proflog: \($(echo "$1" | sed 's|/|.|g')[^ ]*\.spool\) has events .*/\1/p" "$work/err")
  "$PWD/proflog" repair --force --strict -o "$work/whole.mlpd" "$log" "$found" 2>"$work/err" \
    || fail "repair ended with $?"
  "$check_log" "$work/whole.mlpd" truth="$truth" same=alloc,monitor,exception_throw || fail "it is not whole"
  rm "$found"
}

begin "a pipe: in the user's directory"
piped
finds "$work/runtime"

begin "a directory that others may write to is not taken"
chmod 777 "$work/runtime"
piped
[ -z "$(ls "$work/runtime"/*.spool 2>/dev/null)" ] || fail "it was taken"
finds "/tmp/proflog-$(id -u)"
