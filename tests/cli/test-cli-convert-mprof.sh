#!/bin/sh
# Each log of Mono that `proflog convert` makes of a log in tests/logs, of data version 1, of 17, and of an
# eventlog, is read by mprof-report, and those of 17 by the managed reader: they find the events and the
# figures that proflog finds in the same file.
. "${srcdir:-.}/tests/cli/lib.sh"
need mprof-report
sources=$tests/mono
. "$sources/agree.sh"
find_dump_counts
judged=0 managed_judged=0

if test -z "$managed_reader" || ! has mono mcs; then
  leave_out libmono-profiler is not installed, which has Mono.Profiler.Log
  managed_reader=
else
  compile_log_counts
fi

# read_ours: what proflog says about $log, into ours and ours.figures.
read_ours ()
{
  read_our_events
  "$proflog" report --format json "$log" >report.json 2>err || fail "$recorded: proflog report fails"
  "$json_paths" <report.json >ours.figures || fail "the report is not JSON"
  add_thread_counts ours.figures
  add_sample_figures ours.figures
}

# same_threads: mprof-report has one thread of each id but 0, with its last name.  Names of ids that are used
# again are not compared, nor is a thread that is named after the unloading of an image, which it does not find.
same_threads ()
{
  sed -n '/^Thread summary/,/^[A-Z].* summary/s/^\tThread: \([^,]*\), name: "\(.*\)"$/\1\t\2/p' mprof.out \
    | sort >mprof.threads
  "$proflog" report --format json --reports threads --limit 0 "$log" >out 2>err \
    || fail "$recorded: proflog report fails"
  "$json_paths" --places <out | awk -F '\t' '
    { row = $1; sub (/[.][a-z_]*$/, "", row) }
    $1 ~ /^threads[[][0-9]*[]][.]id$/ { id[row] = $2; n[$2]++ }
    $1 ~ /^threads[[][0-9]*[]][.]name$/ { name[row] = $2 == "null" ? "" : $2 }
    END {
      for (row in id)
        if (id[row] != "0x0")
          print id[row] "\t" (n[id[row]] > 1 ? "*" : name[row])
    }' | sort -u >our.threads
  case $recorded in
    all-v*17) drop_lines '^0x(7f00)?30001000	' our.threads mprof.threads ;;
  esac
  awk -F '\t' 'NR == FNR { again[$1] = $2 == "*"; next }
    { print $1 "\t" (again[$1] ? "*" : $2) }' our.threads mprof.threads >expected
  cmp -s expected our.threads \
    || { diff expected our.threads | head -n 20; fail "mprof-report has other threads of $recorded"; }
  checks=$((checks + $(wc -l <expected)))
}

# judge LOG WHAT: mprof-report finds what proflog does.
judge ()
{
  log=$work/$1 recorded=$2 names=announced
  read_ours
  read_mprof
  cp ours ours.written
  if grep -a -q unhandled mprof.debug; then fail "mprof-report does not know an event of $recorded"; fi
  unwritten="$unwritten_by_mprof|$unwritten_by_us"
  version=$(sed -n 's/^log\.data_version\t//p' ours.figures)
  # Its statistics have no monitors before data version 14.
  test "$version" -ge 14 || unwritten="$unwritten|^(bytes|min|max):monitor\$"
  # Its lines of threads and domains differ by the address alone, which a thread of an eventlog does not have.
  case $recorded in
    *eventlog*)
      sed 's/^count:metadata-domain/count:metadata-thread/' mprof | awk -F '\t' -v OFS='\t' '
        { sum[$1] += $2 } END { for (key in sum) printf "%s\t%.0f\n", key, sum[key] }' >rest
      mv rest mprof
      ;;
    # What follows the unloading of an image, from data version 16 on.
    all-v*17) drop_lines '^[a-z]*:metadata(\.unload|\.name|-thread|-thread\.name)	' mprof ours.written ;;
    stock-domains*17)
      drop_lines '^[a-z]*:(metadata(\.unload|-thread.*|-image.*)|gc-event|heap-root-unregister.*)	' mprof ours.written
      names=reused
      ;;
    # A class that could not be loaded is unloaded in its words.
    small*) drop_lines '^[a-z]*:metadata(-class)?\.(load-error|unload)	' mprof ours.written ;;
  esac
  agree mprof-report mprof proflog ours.written . "$unwritten"
  agree mprof-report mprof.figures proflog ours.figures "$mprof_figures" "$no_key" $names
  same_threads
  judged=$((judged + 1))
}

# judge_managed: the managed reader finds what proflog does, in what was judged last.
judge_managed ()
{
  test -n "$managed_reader" || return 0
  cp "$log" unpacked
  read_managed
  # It has no buffers without events.
  drop_lines '^buffers	' managed
  # It has threads that are started; capabilities, and threads before data version 11, have a name only.
  "$proflog" dump "$log" | grep ' metadata-thread ' >out
  sed -n 's/.* action=load thread=\(0x[0-9a-f]*\).*/\1/p' out >started
  sed -n 's/.* action=name thread=\(0x[0-9a-f]*\) name="\(.*\)"$/\1\t\2/p' out | awk -F '\t' '
    FILENAME == "started" { is_started[$1]; next }
    !($1 in is_started) { print "threads[" $2 "].count" }' started - >unstarted
  awk -F '\t' 'FILENAME == "unstarted" { is_left[$1]; next } !($1 in is_left)' unstarted ours.figures >rest
  mv rest ours.figures
  agree "the managed reader" managed proflog ours . "^buffers\$|$unwritten_by_managed|$unwritten_by_us"
  agree "the managed reader" managed.figures proflog ours.figures "$managed_figures" "$no_key"
  managed_judged=$((managed_judged + 1))
}

for source in "$logs"/*.mlpd "$logs"/*.mlpd.gz; do
  name=$(basename "$source")
  name=${name%%.*}
  echo "$name:"
  convert_to "$source" 1.mlpd --data-version 1
  judge 1.mlpd "$name as 1"
  convert_to "$source" 17.mlpd --data-version 17
  judge 17.mlpd "$name as 17"
  judge_managed
  convert_to "$source" one.eventlog
  convert_to one.eventlog back.mlpd
  judge back.mlpd "$name as eventlog and back"
  judge_managed
done
for source in "$logs"/*.eventlog "$logs"/*.eventlog.gz; do
  name=$(basename "$source")
  echo "$name:"
  convert_to "$source" mono.mlpd
  judge mono.mlpd "$name"
  case $name in
    ghc-sparks-user.* | random-stacks.*) ;; # it finds nothing there, not even a version
    *) judge_managed ;;
  esac
done
test $judged -ge 120 || fail "only $judged logs"
echo "$judged logs, of which the managed reader read $managed_judged; $checks threads"
