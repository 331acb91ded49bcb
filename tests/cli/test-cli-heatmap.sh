#!/bin/sh
# proflog heatmap: the cells of the page, as another decoder reads them, are those of the log's construction and of
# `report --time-range`.
. "${srcdir:-.}/tests/cli/lib.sh"
need python3
day=$top_builddir/tests/logs/make-day

# page RECTANGLE...: what a second decoder reads in page.html.
page ()
{
  what=$1
  shift
  python3 "$tests/cli/heat-page.py" "$what" page.html "$@" || fail "heat-page.py $what $*"
}

# figure PATH LOG OPTION...: of the report.
figure ()
{
  path=$1
  shift
  "$proflog" report -q --format json "$@" | "$json_paths" | awk -F '\t' -v path="$path" '$1 == path { print $2 }'
}

# report_path WEIGHT: where the report has it.
report_path ()
{
  case $1 in
    samples) echo cpu.hits ;;
    allocated) echo allocations.bytes ;;
    pauses) echo gc.pause_total_ns ;;
    locks) echo monitors.wait_total_ns ;;
  esac
}

# ---- a log of two minutes ----

"$day" 120 100 300 truth >day.mlpd || fail "no log"
run 0 heatmap day.mlpd -o page.html
page sums >sums
for row in samples:sample:1 pauses:pause:0 locks:lock:0 exceptions:exception:1; do
  IFS=: read -r weight kind counts <<ROW
$row
ROW
  expected=$(awk -v kind="$kind" -v counts="$counts" '$1 == kind { sum += counts ? 1 : $3 - $2 } END { printf "%.0f\n", sum }' truth)
  test "$(awk -v key="$weight" '$1 == key { print $2 }' sums)" = "$expected" || fail "$weight: $(cat sums), and the log has $expected"
  checks=$((checks + 1))
done

# The stacks are those of the flame graph.
page stacks >stacks
run 0 flame -q -f folded --cost time day.mlpd
awk '{ n = $NF; sub(/ [0-9]+$/, ""); print $0, n / 10000000 }' out | sort >expected
LC_ALL=C sort stacks >sorted
same sorted expected

# is_as_reported WEIGHT FROM TO TOP BOTTOM: the sum of a rectangle.  Those of full height are one range of time, others
# one in each column.
is_as_reported ()
{
  weight=$1 from=$2 to=$3 top=$4 bottom=$5
  path=$(report_path "$weight") expected=0 second=$from
  if test "$top,$bottom" = 0,50; then
    expected=$(figure "$path" --time-range="${from}s~${to}s" day.mlpd)
  else
    while test "$second" -lt "$to"; do
      part=$(figure "$path" --time-range="$((second * 1000 + top * 20))ms~$((second * 1000 + bottom * 20))ms" day.mlpd)
      expected=$((expected + ${part:-0})) second=$((second + 1))
    done
  fi
  found=$(page rectangle "$weight" "$from" "$to" "$top" "$bottom")
  test "$found" = "${expected:-0}" || fail "$weight of $from $to $top $bottom: $found, and the report has $expected"
  checks=$((checks + 1))
}

# Ten random rectangles.
for seed in 1 2 3 4 5 6 7 8 9 10; do
  awk -v seed="$seed" 'BEGIN { srand(seed); from = int(rand() * 118); n = seed % 2 ? 1 + int(rand() * 60) : 1 + int(rand() * 3)
    to = from + n < 120 ? from + n : 120; top = seed % 2 ? 0 : int(rand() * 49); bottom = seed % 2 ? 50 : top + 1 + int(rand() * (50 - top))
    print from, to, top, bottom }' >rectangle
  read -r from to top bottom <rectangle
  for weight in samples pauses locks; do
    is_as_reported $weight "$from" "$to" "$top" "$bottom"
  done
done

# What lasts for several rows of a second is in the rectangles that have all of these.
for row in pauses:pause locks:lock; do
  awk -v kind="${row#*:}" '{ second = int($2 / 1e9); first = int(($2 - second * 1e9) / 2e7); last = int(($3 - second * 1e9) / 2e7) }
    $1 == kind && last > first && last < 49 { print second, first, last; exit }' truth >lasting
  read -r second first last <lasting || fail "no $row of several rows"
  is_as_reported "${row%:*}" "$second" $((second + 1)) "$first" $((last + 1))
  test "$found" -gt 0 || fail "no ${row%:*} in second $second"
  is_as_reported "${row%:*}" "$second" $((second + 1)) "$first" "$last"
  is_as_reported "${row%:*}" "$second" $((second + 1)) $((first + 1)) 50
  test "$found" = 0 || fail "$found ns of ${row%:*} that began before"
done

# ---- samples of the wall clock: threads that ran, and waits ----

# waits OPTION...: the time of waiting of the report.
waits ()
{
  "$proflog" report -q --format json --reports=waits "$@" wall.mlpd | "$json_paths" --places |
    awk -F '\t' '$1 ~ /^wait_kinds\[[0-9]+\]\.total_ns$/ { sum += $2 } END { printf "%.0f\n", sum }'
}

"$day" 20 30 100 truth wall >wall.mlpd || fail "no log"
run 0 heatmap --force wall.mlpd -o page.html
page sums >sums
expected=$(awk '$1 == "sample" { n++ } END { print n }' truth)
grep -qx "samples $expected" sums || fail "not $expected samples: $(cat sums)"
test "$(figure cpu.running wall.mlpd)" = "$expected" || fail "the report has not $expected samples that ran"
expected=$(awk '$1 == "lock" || $1 == "wait" { sums[$1] += $3 - $2 } END { printf "%.0f\n", sums["wait"] }' truth)
grep -qx "waits $expected" sums || fail "not $expected ns of waits: $(cat sums)"
test "$(waits)" = "$expected" || fail "the report waits $(waits) ns, not $expected"
for range in 0:20 3:4 5:17; do
  found=$(page rectangle waits ${range%:*} ${range#*:} 0 50)
  expected=$(waits --time-range="${range%:*}s~${range#*:}s")
  test "$found" = "$expected" || fail "waits of $range: $found, and the report has $expected"
  checks=$((checks + 1))
done

# ---- sums by second ----

run 0 heatmap --format json day.mlpd
read_json
for second in 0 17 119; do
  expect "seconds[$second].samples" "$(figure cpu.hits --time-range="${second}s~$((second + 1))s" day.mlpd)"
done
expect columns 120
run 0 heatmap --format csv day.mlpd
grep -q '^table,second,samples,allocated,pauses,waits,locks,exceptions' out || fail "no table"
run 0 heatmap --format text day.mlpd
grep -q '^Busiest seconds' out || fail "no seconds"
run 0 heatmap --format json --time-range=10s~20s day.mlpd
read_json
expect sums.samples "$(figure cpu.hits --time-range=10s~20s day.mlpd)"

# ---- real logs of both runtimes ----

for row in stock-samples.mlpd.gz:samples module-alloc.mlpd.gz:allocated stock-alloc.mlpd.gz:allocated \
  stock-alloc.mlpd.gz:pauses stock-monitors.mlpd.gz:locks ghc-ticks.eventlog.gz:samples; do
  name=${row%:*} weight=${row#*:}
  run 0 heatmap --force "$logs/$name" -o page.html
  expected=$(figure "$(report_path "$weight")" "$logs/$name")
  found=$(page sums | awk -v key="$weight" '$1 == key { print $2 }')
  test -n "$expected" -a "$found" = "$expected" || fail "$name: $weight is $found, and in the report $expected"
  checks=$((checks + 1))
done
expected=$(awk '$1 == "count:exception-throw" { print $2 }' "$logs/stock-exceptions.counts")
run 0 heatmap --force "$logs/stock-exceptions.mlpd.gz" -o page.html
page sums >sums
grep -qx "exceptions $expected" sums || fail "not $expected exceptions"

# Rows of eventlogs: 20 ms each.
ghc_rows ()
{
  name=$1 weight=$2 top=$3 bottom=$4
  run 0 heatmap --force "$logs/$name" -o page.html
  expected=$(figure "$(report_path "$weight")" --time-range="$((top * 20))ms~$((bottom * 20))ms" "$logs/$name")
  found=$(page rectangle "$weight" 0 1 "$top" "$bottom")
  test -n "$expected" -a "$found" = "$expected" || fail "$name, rows $top to $bottom: $weight is $found, and in the report $expected"
}

ghc_rows ghc-ticks.eventlog.gz samples 0 1
ghc_rows ghc-ticks.eventlog.gz samples 1 4
ghc_rows ghc-collect-N2.eventlog.gz pauses 0 1
ghc_rows ghc-collect-N2.eventlog.gz pauses 1 3

# The files of a log that was rotated are one program.
mkdir parts
python3 "$tests/cli/split-log.py" day.mlpd parts/day 3 || fail "no parts"
run 0 heatmap --format json parts
cp out parts.json
run 0 heatmap --format json day.mlpd
sed '/programs/,/]/d' parts.json >expected
sed '/programs/,/]/d' out >whole
same whole expected

# Several programs in one page, on one axis.
run 0 heatmap --force --align start day.mlpd "$logs/stock-samples.mlpd.gz" "$logs/ghc-ticks.eventlog.gz" -o page.html
page sums >sums
grep -qx "samples $((12000 + 299 + 85))" sums || fail "not all samples: $(cat sums)"
run 0 heatmap --format json --align start day.mlpd "$logs/ghc-ticks.eventlog.gz"
read_json
expect 'programs[1]' ghc-ticks.eventlog.gz

# ---- what cannot be drawn ----

run 0 heatmap - --format json <day.mlpd
run 3 heatmap --format json --time-range=500s~501s day.mlpd
grep -q 'what is selected has no samples' err || fail "the reason is missing"
"$day" 1 1 1 >one.mlpd && "$proflog" cut -q --time-range=0~1ns one.mlpd -o empty.mlpd
run 3 heatmap empty.mlpd -o empty.html
grep -q "no samples, allocations, pauses, waits or exceptions; 'proflog run' records" err || fail "the reason is missing"
test ! -e empty.html || fail "an empty page was written"
"$day" 172802 1 1 >long.mlpd
run 3 heatmap long.mlpd -o long.html
grep -q 'go on for 172802 s, and a heat map has 172800 columns' err || fail "a long log: $(cat err)"
run 0 heatmap --time-range=0~100s long.mlpd -o long.html
run 2 heatmap --open --format json day.mlpd
done_checks
