#!/bin/sh
# proflog under the name mprof-report: its text is that of Debian's mprof-report 6.8, but for the
# differences in docs/differences-from-mprof-report.md.  known_differences lists those in the logs
# here; all else is compared as it is, equal rows in one order (mprof-text.awk).
. "${srcdir:-.}/tests/lib.sh"
LC_ALL=C
TZ=UTC
export LC_ALL TZ

mkdir "$work/bin"
ln -s "$proflog" "$work/bin/mprof-report"
ours=$work/bin/mprof-report
their_name=mprof-report

# ---- by itself ----

# The text of a log that has all events of data version 1: each line is what its events, which
# tests/logs/make-small.c lists, are in mprof-report's form.
check_small ()
{
  cat >"$work/expected" <<'TEXT'

Mono log profiler data
	Profiler version: 0.4
	Data version: 1
	Mean timer overhead: 25 nanoseconds
	Program startup: Thu Jul  1 16:00:00 2010
	Program ID: 4711

JIT summary
	Compiled methods: 2
	Generated code size: 520
	JIT helpers: 0
	JIT helpers code size: 0

GC summary
	GC resizes: 1
	Max heap size: 4194304
	Object moves: 2
	Gen1 collections: 1, max time: 0us, total time: 0us, average: 0us

Allocation summary
     Bytes      Count  Average Type name
      4096          1     4096 System.Byte[]
        24          1       24 Small.Node
Total memory allocated: 4120 bytes in 2 objects
Total calls: 2

Metadata summary
	Loaded images: 1
	Loaded assemblies: 1

Exception summary
	Throws: 1
	Executed catch clauses: 1

Monitor lock summary
	Lock object 0x7fa0008: 1 contentions
		0.000000 secs total wait time, 0.000000 max, 0.000000 average
	Lock object 0x7fa0048: 1 contentions
		0.000000 secs total wait time, 0.000000 max, 0.000000 average
	Lock contentions: 2
	Lock acquired: 1
	Lock failures: 1

Thread summary
	Thread: 0x7f22, name: ""
	Thread: 0x7f11, name: ""

Domain summary
	Domain: 0x1, friendly name: "small.exe"

Context summary

Heap shot summary

	Heap shot 0 at 0.000 secs: size: 4120, object count: 2, class count: 2, roots: 0
	     Bytes      Count  Average Class name
	      4096          1     4096 System.Byte[]
	        24          1       24 Small.Node

Counters:
TEXT
  "$ours" "$small" >"$work/out" 2>"$work/err" || fail "status $?"
  quiet
  same "$work/expected" "$work/out"
  "$ours" --out="$work/file" "$small" >"$work/out" || fail "--out: status $?"
  same "$work/expected" "$work/file"
  quiet "$work/out"
  sed -n '/^Domain summary/,/^$/p; /^Exception summary/,/^$/p' "$work/expected" >"$work/parts"
  "$ours" --reports=exception,domain "$small" | sed 1d >"$work/out"
  printf '\n' >>"$work/out"
  same "$work/parts" "$work/out"
}

# refuses STATUS TEXT ARGUMENT...: standard output begins with the text.
refuses ()
{
  expected=$1
  text=$2
  shift 2
  "$ours" "$@" >"$work/out" 2>"$work/err"
  status=$?
  test "$status" = "$expected" || fail "'$*': status $status instead of $expected"
  head -n 2 "$work/out" | grep -q -F -e "$text" || fail "'$*' does not say '$text'"
  checks=$((checks + 1))
}

check_messages ()
{
  refuses 2 'Usage: mprof-report [OPTIONS] FILENAME'
  refuses 0 'Usage: mprof-report [OPTIONS] FILENAME' --help
  refuses 1 'Cannot open file: --version' --version
  refuses 1 'Cannot open file: no-such-log' no-such-log
  refuses 1 'Cannot open output file: /no-such-folder/x' --out=/no-such-folder/x "$small"
  refuses 1 'Not a log profiler data file (or unsupported version).' "$0"
  for option in reports=none reports=,jit method-sort=x alloc-sort=x counters-sort=x time=1 time=2-1 find=X:1; do
    refuses 1 'Usage: mprof-report [OPTIONS] FILENAME' "--$option" "$small"
  done
  "$ours" --debug --reports=domain "$small" >"$work/out" 2>"$work/err" || fail "--debug: status $?"
  says "$work/err" "--debug shows nothing here: 'proflog dump' prints all events"
  "$ours" --track=word "$small" >"$work/out" 2>"$work/err"
  test $? = 2 || fail "--track=word is accepted"
  says "$work/err" '--track word: '
  quiet "$work/out"
}

# put_bytes HEX...: these bytes.
put_bytes ()
{
  for byte in $(echo "$*" | sed 's/ //g; s/../& /g'); do
    printf "\\$(printf %03o "0x$byte")"
  done
}

# A method with hits in its own code and in a native function that it called; the log is written by
# hand, in data version 10.
check_samples ()
{
  events='43 01 00 8020 40 4d00'          # method M, 64 bytes of code at 0x7f0000002000
  events="$events 17 80c000 40 6600"      # native function f, 64 bytes at 0x7f0000003000
  in_method='07 01 8108 01 8820 01 000000'
  in_function='07 01 8108 01 88c000 01 000000'
  events="$events $in_method $in_method $in_function"
  length=$(printf %02x $(($(echo "$events" | tr -d ' \n' | wc -c) / 2)))
  put_bytes 01 5a504d 00 04 0a 08 0000000000000000 00000000 00000000 00000000 0000 0000 \
    01 4c504d "$length" 000000 e803000000000000 00100000007f0000 00020000e00f0000 3412000000000000 \
    0050000000000000 "$events" >"$work/samples.mlpd"
  cat >"$work/expected" <<'TEXT'

Statistical samples summary
	Sample type: cycles
	Unmanaged hits:       1 (33.3%)
	Managed hits:         2 (66.7%)
	Unresolved hits:      0 ( 0.0%)
	  Hits      % Method name
	     2  66.67 M
	     1  33.33 f
TEXT
  "$ours" --reports=sample "$work/samples.mlpd" >"$work/out" 2>"$work/err" || fail "status $?"
  quiet
  same "$work/expected" "$work/out"
}

check_small
check_messages
check_samples

# ---- beside mprof-report ----

tab=$(printf '\t')

# has_calls: the log has calls, so that mprof-report makes backtraces of them.
has_calls ()
{
  case $name in all-* | small | module-calls | stock-calls) return 0 ;; esac
  return 1
}

# known_differences: sed commands that take what is known to differ out of both texts of the log
# $name with the options $options.
known_differences ()
{
  # The roots of a heap snapshot are 0, or those of other collections, too.
  echo 's/, roots: [0-9]*$//'
  case $name in
    # The file that native code is in stands beside it.
    all-v0[4-9] | all-v1[0-5]*) echo 's/ *in \/lib\/libc\.so\.6$//' ;;
  esac
  case $name in
    # Monitor events of data version 13 are ignored.
    all-v13) echo "/^monitor$tab/d" ;;
    # A vtable that is announced later stays unresolved.
    all-v15 | all-v16 | all-v17*) echo 's/unresolved class (nil)/System.Byte[]/' ;;
    stock-alloc) echo '/ \(unresolved class (nil)\|System\.String\|System\.RuntimeType\)$/d
      / \(System\.Threading\.InternalThread\|System\.Threading\.Thread\|System\.Int64\[\]\)$/d' ;;
    stock-dynamic) echo '/ \(unresolved class (nil)\|System\.RuntimeType\)$/d
      / System\.Threading\.\(InternalThread\|Thread\)$/d' ;;
    # Likewise; and a reused one has the first type.  Contexts of several domains count as one.
    stock-domains) echo "/^alloc$tab *[0-9]/d
      /^context$tab${tab}Context/d" ;;
    # The greatest number of GC handles at once is computed in file order.
    stock-handles) echo '/GC handles/s/, max: [0-9]*$//' ;;
    # Recursion counts the outer time again at every level.
    stock-calls) echo "/^call$tab.*:\(Fib\|Even\|Odd\|Through\) (/d
      /^call$tab.* object:runtime_invoke_void (/d" ;;
  esac
  case $name in
    # After the unloading of an image, events are skipped: that of the name of a thread.
    all-v16 | all-v17*) echo '/Thread: 0x[0-9a-f]*30001000, /d' ;;
  esac
  case $options in
    *traces*)
      # Events without a backtrace have the calls at them; a contention counts again at its end.
      ! has_calls || echo "/^\(gc\|alloc\|exception\|monitor\)$tab${tab}[0-9]* [a-z]* from:/d
        /^\(gc\|alloc\|exception\|monitor\)$tab$tab${tab}[^0-9]/d"
      case $name in
        # As above: backtraces belong to rows that differ.
        stock-alloc | stock-dynamic | stock-domains) echo "/^alloc$tab/d" ;;
        stock-calls) echo "/^call$tab/d" ;;
      esac ;;
  esac
  # Values of user counters are added up.  They are the last ones.
  echo '/\(Calls, in all\|Rounds\): \[/,$d
    /\(Calls, in all\|Rounds\) *: /d'
}

# Readings within a ms are printed again by mprof-report; each line counts once here.
each_once ()
{
  case $options,$name in
    *category*) cat ;;
    *verbose*,stock-counters | *verbose*,stock-default)
      awk -v file="$1.counters" '/^counters\t/ { print >file; next } { print }'
      sort -u "$1.counters" ;;
    *) cat ;;
  esac
}

# rows TEXT: the text of a report, ready to be compared.
rows ()
{
  awk -v methods="$methods" -v types="$types" -v cuts="$cuts" -f "$logs/mprof-text.awk" "$1" \
    | sed -f "$work/known" | each_once "$1" >"$1.rows"
}

# Threads whose ids are reused count as one: their ids are left out.
leave_reused_out ()
{
  sed -n "s/^thread$tab${tab}Thread: \([^,]*\),.*/\1/p" "$work/ours.rows" | sort | uniq -d \
    | sed "s/.*/\/^thread$tab${tab}Thread: &,\/d/" >"$work/reused"
  for side in ours theirs; do
    sed -f "$work/reused" "$work/$side.rows" >"$work/$side.compared"
  done
}

# equal OPTION...: both texts of $file.
equal ()
{
  options="$*"
  methods=1
  types=1
  cuts=1
  case $options in *method-sort=self*) methods=2 ;; *method-sort=calls*) methods=3 ;; esac
  case $options in *alloc-sort=count*) types=2 ;; esac
  case $options in *verbose*) cuts=0 ;; esac
  known_differences >"$work/known"
  "$ours" "$@" "$file" >"$work/ours" 2>"$work/err" || fail "$name $options: status $?"
  quiet
  "$their_name" "$@" "$file" >"$work/theirs" || fail "$name $options: mprof-report: status $?"
  rows "$work/ours"
  rows "$work/theirs"
  leave_reused_out
  test "$(wc -l <"$work/ours.compared")" -ge 15 || fail "$name $options: too little is left to compare"
  case="$name $options"
  same "$work/theirs.compared" "$work/ours.compared"
  case=
}

# equal_objects FILE OPTION...: texts without known differences: lines of objects.  Of more than 100 that are found, moves are not
# followed here.
equal_objects ()
{
  file=$1
  shift
  "$ours" "$@" "$file" >"$work/ours" 2>"$work/err" || fail "$*: status $?"
  "$their_name" "$@" "$file" >"$work/theirs" || fail "$*: mprof-report: status $?"
  case "$*" in *--find*) sed -i '/ moved to /d' "$work/theirs" "$work/ours" ;; esac
  test -s "$work/theirs" || fail "$*: nothing to compare"
  same "$work/theirs" "$work/ours"
}

if has mprof-report; then
  files=0
  for file in "$logs"/*.mlpd "$logs"/*.mlpd.gz; do
    name=$(basename "$file" .gz)
    name=${name%.mlpd}
    case $name in all-v1[89] | all-v[2-9]*) continue ;; esac # it reads data versions up to 17
    equal
    equal --verbose
    equal --verbose --traces
    equal --verbose --counters-sort=category
    equal --method-sort=self --alloc-sort=count
    equal --traces --method-sort=calls --maxframes=2
    files=$((files + 1))
  done
  test "$files" -ge 36 || fail "only $files logs"
  # Values of options that are odd.
  file=$logs/stock-threads.mlpd.gz name=stock-threads
  for option in --thread=0 --maxframes=-1 --maxframes=99999999999 --find=S:0 --track= \
    --reports=gc,alloc,metadata,thread,; do
    equal "$option"
  done
  # Buffers; and all events, of which mprof-report leaves out most kinds.
  for program in "$ours" "$their_name"; do
    "$program" --reports=stats "$logs/stock-threads.mlpd.gz" 2>"$work/err" | grep 'Buffer count'
  done >"$work/buffers"
  test "$(uniq "$work/buffers" | wc -l)" = 1 || fail "buffers: $(cat "$work/buffers")"
  "$ours" --reports=stats "$logs/stock-threads.mlpd.gz" | sed -n 's/.*\tcount *\([0-9]*\)\t.*/\1/p' >"$work/counts"
  all=$("$proflog" dump -q "$logs/stock-threads.mlpd.gz" | awk '$3 ~ /^0x/ && $4 != "buffer"' | wc -l)
  test "$(awk '{ sum += $1 } END { print sum }' "$work/counts")" = "$all" || fail "events by kind are not $all"
  test -z "$("$ours" --reports=coverage "$logs/stock-threads.mlpd.gz")" || fail 'coverage has a text'
  equal_objects "$work/samples.mlpd" --reports=sample
  equal_objects "$logs/stock-alloc.mlpd.gz" --find=T:Probe.Node --traces
  equal_objects "$logs/stock-alloc.mlpd.gz" --track=0x7f599d809910 --traces
  equal_objects "$logs/stock-heapshot.mlpd.gz" --track=0x7feb89801048,0x7feb8e4b26d0
fi
echo "$checks checks"
