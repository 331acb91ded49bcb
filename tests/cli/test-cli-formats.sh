#!/bin/sh
# CSV, Markdown, which parts are shown, which rows and columns and in what order.
. "${srcdir:-.}/tests/cli/lib.sh"

# One table stands alone, exact and whole.
run 0 report --reports=alloc --format csv "$small"
quiet err
same_lines out bytes,objects,image,name '4096,1,/opt/small.exe,System.Byte[]' \
  24,1,/opt/small.exe,Small.Node
run 0 report --reports=calls --format=csv "$small"
same_lines out total_ns,self_ns,calls,name '860,838,1,Small.Program:Main (string[])' \
  '22,22,1,Small.Program:Work (int)'
run 0 report --reports=monitor -fcsv --fields object,type,wait_total_ns "$small"
same_lines out object,type,wait_total_ns 0x7fa0008,,200 0x7fa0048,,20
run 0 report --reports heapshot -f csv "$small"
same_lines out table,index,roots,source '' table,index,bytes,objects,bytes_delta,objects_delta,image,name \
  'heapshots.types,1,4096,1,4096,1,/opt/small.exe,System.Byte[]' \
  heapshots.types,1,24,1,24,1,/opt/small.exe,Small.Node
# A part without tables is a row; one that the log has nothing for is its head.
# Tables that go with sums do not take their place.
run 0 report --reports jit -f csv "$small"
same_lines out table,methods,code_bytes,helpers,helper_bytes jit,2,520,0,0 '' table,helpers,bytes,type
run 0 report --reports counters -f csv "$small"
same_lines out section,name,unit,last,min,max,type,variance,index,updates
head -c 80 "$small" >short
run 0 report --reports heapshot -q -f csv short
same_lines out table,index,roots,source '' table,index,bytes,objects,bytes_delta,objects_delta,image,name
# CSV has every table that has rows in JSON.
json_tables ()
{
  awk '{ match ($0, /^ */); indent = RLENGTH }
    /^ *{ "/ && path != "" { print path }
    { for (i = indent; i < 99; i++) delete keys[i]; path = "" }
    /^ *"[a-z_]*": [[{]/ { key = $1; gsub (/[":]/, "", key); keys[indent] = key }
    /^ *"[a-z_]*": \[$/ {
      for (i = 0; i <= indent; i++)
        if (i in keys) path = path (path != "" ? "." : "") keys[i]
    }' | sort -u
}
all=$logs/all-v17.mlpd
for options in --quiet --traces --verbose --reports=metadata,jit --reports=heapshots,jit; do
  run 0 report -f json $options "$all"
  json_tables <out >expected
  test "$(wc -l <expected)" -ge 3 || fail "$options: few tables in JSON"
  run 0 report -f csv $options "$all"
  while read -r table; do
    grep -q "^$table," out || fail "$options: no $table in CSV"
  done <expected
done
for report in metadata jit; do
  run 0 report --reports=$report -f csv "$all"
  grep -q "^$report,[0-9]" out || fail "$report: no sums in CSV"
done
# Several tables state their names; several logs theirs.
run 0 report --reports thread,gc --format csv "$small"
same_lines out table,id,start_ns,end_ns,events,name threads,0x7f11,10,900,29, threads,0x7f22,100,130,3, \
  '' table,generation,collections,total_ns,max_ns,pauses,pause_total_ns,pause_max_ns \
  gc.generations,1,1,40,40,1,100,100 '' \
  table,generation,count,avg_ns,p50_ns,p90_ns,p99_ns,max_ns \
  gc.generation_pauses,1,1,100,100,100,100,100 '' table,window_ns,paused_ns,permille '' \
  table,total_ns,avg_ns,max_ns,count,phase '' table,generation,from_ns,to_ns,count,total_ns \
  gc.pause_histogram,1,0,1000,1,100 '' \
  table,generation,collections,before_avg_bytes,after_avg_bytes,before_max_bytes,after_max_bytes '' \
  table,created,destroyed,max,kind gc.handles,0,0,0,weak \
  gc.handles,0,0,0,weak-track-resurrection gc.handles,0,0,0,normal gc.handles,0,0,0,pinned '' \
  table,phases,total_ns,objects,objects_total_ns,objects_max_ns,id '' \
  table,registered,unregistered,bytes,max_bytes,source
# The columns are the same whatever the log has: with a log of nothing each table is its head.
for report in gc exceptions samples alloc calls monitors heapshots; do
  for more in --quiet --traces; do
    run 0 report $more --reports=$report -f csv -q "$logs/all-v17.mlpd"
    if head -n 1 out | grep -q '^table,'; then
      sed -n '/^table,/p' out >expected
    else
      head -n 1 out >expected
    fi
    run 0 report $more --reports=$report -f csv -q short
    grep . out | grep -v '^gc.handles,0,0,0,' >got
    test -s got || fail "$report: nothing at all"
    same got expected
  done
done
run 0 dump -f csv --filter nosuch "$small"
same_lines out offset,size,thread,time_ns,kind,fields
# Backtraces are columns of their tables.
run 0 report --reports=alloc --traces -f csv "$small"
same_lines out table,bytes,objects,image,name 'allocations.types,4096,1,/opt/small.exe,System.Byte[]' \
  allocations.types,24,1,/opt/small.exe,Small.Node '' table,types,objects,bytes,frames \
  allocations.types.traces,System.Byte[],1,4096, \
  'allocations.types.traces,Small.Node,1,24,Small.Program:Main (string[]);Small.Program:Work (int)'
# Control characters are escaped; what is no UTF-8 is replaced.  A name of 10 bytes for another.
sed 's/Small\.Node/A\n,"\x1b\t\xff\xc3\xa4!/' "$small" >odd
run 0 report --reports=alloc -f csv odd
printf 'bytes,objects,image,name\n4096,1,/opt/small.exe,System.Byte[]\n24,1,/opt/small.exe,"A\\u000a,""\\u001b\\u0009\357\277\275\303\244!"\n' >expected
same out expected
run 0 report --reports=alloc,calls -f csv odd
grep -q '^allocations.types,24,1,/opt/small.exe,"A' out || fail "no row of the name"
cp "$small" 'a,b.mlpd'
cp "$small" c.mlpd
run 0 report --reports=alloc -n1 --format csv a,b.mlpd c.mlpd
same_lines out log,bytes,objects,image,name '"a,b.mlpd",4096,1,/opt/small.exe,System.Byte[]' \
  'c.mlpd,4096,1,/opt/small.exe,System.Byte[]'
# In every format a report of several logs names each log once.
for reports in alloc log,alloc alloc,log; do
  for format in text markdown json; do
    run 0 report --reports=$reports --format $format c.mlpd a,b.mlpd
    for log in c.mlpd a,b.mlpd; do
      count=$(grep -c "Name: $log$\|Name  *$log$\|^    \"name\": \"$log\"" out)
      wanted=1
      test "$reports,$format" = "alloc,log,$format" && test $format != json && wanted=2
      test "$count" = $wanted || fail "$reports, $format: $log is named $count times"
    done
    test $format != text || test "$(head -n 2 out | tail -n 1)" = '  Name                 c.mlpd' \
      || fail "$reports: no name at the beginning"
  done
done
run 0 report --reports=alloc -f json c.mlpd
grep -q '"log"' out && fail "a log of its own is named"
run 1 check c.mlpd a,b.mlpd
says out 'a,b.mlpd'
# All of it: values and tables.
run 0 report --format csv "$small"
says out table,objects,bytes
says out allocations,2,4120
says out allocations.types,24,1,/opt/small.exe,Small.Node
says out heapshots,1,460,true,,2,4120,2,2,0
run 0 info --format csv "$small"
says out kinds,3,
# Into a file all the same.
run 0 report --reports=alloc --format csv -o table.csv "$small"
quiet out
same_lines table.csv bytes,objects,image,name '4096,1,/opt/small.exe,System.Byte[]' \
  24,1,/opt/small.exe,Small.Node

# Markdown.
run 0 report --raw --reports=alloc --format markdown "$small"
same_lines out '## Allocations' '' '- Objects: 2' '- Bytes: 4120' '- Bytes per second: 4577777778' '' \
  '| Bytes | Objects | Type |' \
  '| ---: | ---: | --- |' '| 4096 | 1 | System.Byte\[\] |' '| 24 | 1 | Small.Node |'
cp out expected
run 0 report --raw --reports=alloc --format md "$small"
same out expected
run 0 report --reports=alloc --format md "$small"
says out '- Bytes: 4.1 kB'

# Text has no figure of more than six digits, besides addresses and names; JSON has the same figures as ever.
for log in "$logs"/*.mlpd "$logs"/*.mlpd.gz "$logs"/*.eventlog "$logs"/*.eventlog.gz; do
  "$proflog" report -q "$log" >out 2>err || fail "$log"
  sed 's/0x[0-9a-f]*//g; /Arguments/d' out | grep -E '(^|[ +-])[0-9]{7,}( |$)' && fail "$log: a long figure"
  checks=$((checks + 1))
done

# A dump: the fields of a line are those of the JSON dump; one head for all logs.
run 0 dump --format json "$small"
grep '"fields"' out | sed 's/.*"fields"://; s/}$//' >fields
run 0 dump --format csv "$small"
head -n 1 out >head
same_lines head offset,size,thread,time_ns,kind,fields
sed '1d; s/^[^"]*"//; s/"$//; s/""/"/g' out >got
same got fields
says out ',0x7f11,5000040,method-enter,"{""time"":5000040,'
run 0 dump --format csv "$small" c.mlpd
test "$(wc -l <out)" = 75 || fail "$(wc -l <out) lines"
test "$(grep -c '^log,offset' out)" = 1 || fail "not one head"
test "$(grep -c '^c.mlpd,' out)" = 37 || fail "not the log of each line"
run 0 dump --format json c.mlpd 'a,b.mlpd'
test "$(grep -c '^{"log":"c.mlpd","item":"' out)" = 37 || fail "not the log of each line"
test "$(grep -c '^{"log":"a,b.mlpd","item":"' out)" = 37 || fail "not the log of each line"
run 0 dump c.mlpd 'a,b.mlpd'
test "$(sed -n '1p; 39p' out)" = "$(printf 'log "c.mlpd"\nlog "a,b.mlpd"')" || fail "no names"
head -c $(($(wc -c <"$small") - 3)) "$small" >cut
run 0 dump --format csv cut
says out ',damage,"{""reason"":""truncated"",""skipped"":'
gzip -c "$small" | head -c 300 >cut.gz
run 0 dump --format csv cut.gz
says out ',,,,damage,"{""reason"":""truncated"",""message"":'
# Real numbers have no more digits than distinguish them.
run 0 dump -f json "$logs/stock-counters.mlpd.gz"
says out '"value":1.23}'
run 0 report --reports=counters -f csv "$logs/stock-counters.mlpd.gz"
says out 'CPU Load Average - 1min,percent,1.23,1.23,1.33,double'
run 2 dump --format markdown "$small"
quiet out
says err 'text, json and csv'

# Every listed format of a command prints something, and no other is accepted.
for command in report info check dump; do
  "$proflog" --complete | sed -n "s/^value	$command	--format	//p" >listed
  for format in text json csv markdown html; do
    if grep -q -x "$format" listed; then
      "$proflog" $command --format $format "$small" >out 2>err
      test $? -le 1 && test -s out || fail "$command --format $format"
    else
      run 2 $command --format $format "$small"
    fi
    checks=$((checks + 1))
  done
done

# The collector's tables have the same rows in text, Markdown, CSV and JSON: of a log with all of it,
# of one with roots alone, where people do not see that there are no handles of any kind.
for log in all-v17.mlpd stock-default.mlpd.gz; do
  file=$logs/$log
  zeros=0
  test $log = all-v17.mlpd || zeros=4
  run 0 report --reports=gc -f csv "$file"
  rows=$(grep -c '^gc\.' out)
  grep -q '^gc\.roots,.*,static$' out || fail "$log: no roots"
  run 0 report --reports=gc -f json "$file"
  test "$(grep -c '^ *{ "' out)" = "$rows" || fail "$log: other rows in JSON than the $rows of CSV"
  run 0 report --reports=gc -f md "$file"
  test "$(grep -c '^| [0-9]' out)" = $((rows - zeros)) || fail "$log: other rows in Markdown"
  run 0 report --reports=gc "$file"
  test "$(grep -c '^  *[0-9]' out)" = $((rows - zeros)) || fail "$log: other rows in text"
done

# Which parts: the names of mprof-report and ours, in the order that is requested, each once.
for name in header jit gc sample alloc call metadata exception monitor thread domain context \
  heapshot counters stats; do
  run 0 report "--reports=$name" "$small"
  run 0 report "--reports=$name" --format json "$small"
  test "$(grep -c '^  "' out)" = 2 || fail "$name: not the schema and one key"
done
run 0 report --format json --verbose "$small"
keys=$(sed -n 's/^  "\([a-z]*\)":.*/\1/p' out | grep -v schema)
test "$(printf '%s\n' "$keys" | wc -l)" -ge 16 || fail "few keys: $keys"
for name in $keys; do
  run 0 report "--reports=$name" --format json "$small"
  sed -n 's/^  "\([a-z]*\)":.*/\1/p' out >got
  same_lines got schema "$name"
done
run 0 report --reports call,alloc,call "$small"
grep '^[A-Z]' out >got
same_lines got Calls Allocations
for list in foo alloc,foo '' alloc,; do
  run 2 report "--reports=$list" "$small"
  quiet out
  says err 'alloc'
  test "$(wc -l <err)" = 1 || fail "more than one line"
done
# What is hidden otherwise.
run 0 report "$small"
grep -q '^Events$' out && fail "events by kind"
run 0 report --verbose "$small"
grep -q '^Events$' out || fail "no events by kind"
# Damage is reported with any section.
run 0 report --reports alloc -q cut
grep -q '^Damage$' out || fail "no damage"
run 0 report --reports alloc -q --format json cut
read_json
expect damage.truncated true
expect allocations.objects 2

# Order, rows and columns.
domains=$logs/stock-domains.mlpd.gz
run 0 report --reports=domains -f csv --fields id "$domains"
same_lines out id 0x0 0x1 0x2
run 0 report --reports=domains -f csv --fields id --reverse "$domains"
same_lines out id 0x2 0x1 0x0
run 0 report --reports=contexts -f csv --fields id,domain "$domains"
same_lines out id,domain 0x0,0x0 0x0,0x1 0x0,0x2 0x1,0x0 0x1,0x1 0x1,0x2
run 0 report --reports=threads -f csv --fields id --sort id "$small"
same_lines out id 0x7f11 0x7f22
run 0 report --reports=calls -f csv --sort calls --fields name "$small"
same_lines out name 'Small.Program:Main (string[])' 'Small.Program:Work (int)'
run 0 report --reports=calls -f csv --sort self --reverse --fields name,self_ns "$small"
same_lines out name,self_ns 'Small.Program:Work (int),22' 'Small.Program:Main (string[]),838'
run 0 report --reports=alloc -f csv --sort name "$small"
same_lines out bytes,objects,image,name 24,1,/opt/small.exe,Small.Node '4096,1,/opt/small.exe,System.Byte[]'
run 0 report --reports=alloc -f csv -r -n1 "$small"
same_lines out bytes,objects,image,name 24,1,/opt/small.exe,Small.Node
run 0 report --sort name --fields name,bytes --format json "$small"
says out '{ "name": "Small.Node", "bytes": 24 }'
says out '{ "generation": 1, "collections": 1,'
read_json
expect allocations.objects 2
run 0 info -f json --fields kind "$small"
says out '{ "kind": "alloc" }'
for option in --sort --fields; do
  for keys in foo bytes,foo '' bytes,; do
    run 2 report $option "$keys" "$small"
    quiet out
    says err "$option"
    says err 'there are '
    says err 'total_ns'
    test "$(wc -l <err)" = 1 || fail "more than one line"
  done
  # Of the parts that are shown.
  run 2 report --reports alloc $option total_ns "$small"
  says err 'there are bytes, objects, image, name'
done
run 2 info --sort total_ns "$small"
# From data version 15 on types are reported by their vtables, which dumps call by their classes; before, by
# the classes.  Both logs have the same objects (tests/logs/make-all.c).
for filter in All.Node All.Error System.Byte; do
  for version in 14 17; do
    run 0 dump --filter "$filter" "$logs/all-v$version.mlpd"
    grep -c -E ' (alloc|heap-object) ' out >lines-$version
  done
  same lines-17 lines-14
done
run 0 dump --filter All.Node "$logs/all-v17.mlpd"
says out ' alloc vtable=0x7f0003000080 "All.Node" object=0x7f0018000000 size=24'
run 0 dump --format json --filter All.Node "$logs/all-v17.mlpd"
says out '"vtable":"0x7f0003000080","vtable_name":"All.Node","object":"0x7f0018000000","size":24,'
run 0 dump --format csv --filter All.Node "$logs/all-v17.mlpd"
says out '""vtable_name"":""All.Node"",""object"":""0x7f0018000000""'
# Named before it: the array that the main thread makes before another thread names its type has none.
run 0 dump "$logs/all-v17.mlpd"
says out ' alloc vtable=0x7f0003000100 object=0x7f0018000080 size=4096'
says out ' alloc vtable=0x7f0003000100 "System.Byte[]" object=0x7f0018000400 size=1024'
# A value with a space is quoted.
says out 'section="Mono System"'

# Threads that wait have the names that tests/logs/make-all.c gave them.
run 0 report -q --reports=waits --format csv "$logs/all-v17.mlpd"
says out ',lock,0x7f0030000000,Main,,All.Program:Main (string[])'
says out ',lock,0x7f0030000800,"Worker, no. 1",,All.Worker:Run ()'

# Percentages are rounded: in tables whose values in column $1 have their shares in the next one.
rounds ()
{
  awk -v at="$1" '
    function judge(   i, share) {
      for (i = 1; i <= n; i++) {
        share = 100 * value[i] / sum
        # Times in text are cut after three digits.
        if (shown[i] - share > 0.0502 || share - shown[i] > 0.0502) { print value[i] " of " sum " is " shown[i] " %"; bad = 1 }
      }
      rows += n; n = sum = 0
    }
    /%/ { judge() }
    $at ~ /^[0-9.]+$/ && $(at + 1) ~ /^[0-9]+\.[0-9]$/ { value[++n] = $at; shown[n] = $(at + 1); sum += $at }
    END { judge(); if (rows < 2) { print rows " rows"; bad = 1 } exit bad }' out >shares || fail "$case: $(cat shares)"
  checks=$((checks + 1))
}
for case in "1 waits $logs/all-v17.mlpd" "1 waits $logs/ghc-blocks-N2.eventlog.gz" "1 cpu $logs/ghc-ticks.eventlog.gz" \
  "4 allocations $logs/stock-alloc.mlpd.gz --by=size"; do
  # shellcheck disable=SC2086
  set -- $case
  run 0 report -q --raw --limit 0 --reports="$2" ${4:+"$4"} "$3"
  rounds "$1"
done
done_checks
