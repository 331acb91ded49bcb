#!/bin/sh
# Backtraces: the figures are those that mprof-report 6.8 states with --traces.
. "${srcdir:-.}/tests/cli/lib.sh"

# of LOG REPORT: its report with backtraces, as figures.
of ()
{
  run 0 report --traces --format json --reports="$2" "$logs/stock-$1.mlpd.gz"
  quiet err
  read_json
}

# has_lines LINE...: the text report with backtraces has these lines, one after the other.
has_lines ()
{
  printf '%s\n' "$@" >wanted
  sed 's/^ *//' out | grep -F -x -A $(($# - 1)) -e "$1" | grep -v '^--$' >near
  tr '\n' '|' <near | grep -q -F -e "$(tr '\n' '|' <wanted)" || fail "no lines: $*"
  checks=$((checks + 1))
}

runtime='(wrapper runtime-invoke) <Module>:runtime_invoke_int (object,intptr,intptr,intptr)'
of calls calls
run 0 report --traces --maxframes=3 -n 0 --reports=calls "$logs/stock-calls.mlpd.gz"
has_lines 3186 'Probe.Calls:Fib (int)' 'Probe.Calls:Fib (int)' 'Probe.Calls:Fib (int)' \
  4 'Probe.Calls:Main ()' 'Probe.Calls:Fib (int)' 'Probe.Calls:Fib (int)' \
  2 "$runtime" 'Probe.Calls:Main ()' 'Probe.Calls:Fib (int)' \
  1 "$runtime" 'Probe.Calls:Main ()'
has_lines 1000 "$runtime" 'Probe.Calls:Main ()' 500
run 0 report --traces --reports=heapshots --verbose "$logs/stock-heapshot.mlpd.gz"
has_lines '9824      307         +9824            +307  Probe.Held' 'Root references    13' \
  'References  From' '1000  System.Object[]' '300  Probe.Held[]' '299  Probe.Held'
has_lines '2208       46         +2208             +46  System.RuntimeType' 'Root references    46'
of monitors monitors
for lock in '0x7fa5da4005c8 8' '0x7fa5da4005b8 10'; do
  sum=$(awk -F '\t' -v at="monitors.objects[${lock% *}].traces[" '
    index ($1, at) == 1 && $1 ~ /contentions$/ { sum += $2 } END { print sum }' figures)
  test "$sum" = "${lock#* }" || fail "contentions of $lock: $sum"
  checks=$((checks + 1))
done
run 0 report --traces --reports=alloc "$logs/stock-alloc.mlpd.gz"
grep -q '^ *132 *3920$' out || fail "not the 3920 bytes of System.String"
# Stacks that are the same when they are cut are one, with the sums of both: of the whole stacks, as
# JSON has them, by their last frames.
run 0 report --traces --reports=alloc --format json "$logs/stock-alloc.mlpd.gz"
read_json
for frames in 1 3; do
  awk -F '\t' -v max=$frames '
    # allocations.types[A].traces[B].frames[I] and .objects, .bytes
    match ($1, /^allocations\.types\[.*\]\.traces\[[0-9]+\]\./) {
      row = substr ($1, 1, RLENGTH)
      rest = substr ($1, RLENGTH + 1)
      if (!(row in seen)) { seen[row] = 1; rows[n++] = row }
      if (rest ~ /^frames/) frame[row, count[row]++] = $2
      else sum[row, rest] = $2
    }
    END {
      for (i = 0; i < n; i++) {
        row = rows[i]
        type = row
        sub (/\.traces.*/, "", type)
        stack = ""
        for (f = count[row] > max ? count[row] - max : 0; f < count[row]; f++)
          stack = stack "|" frame[row, f]
        objects[type stack] += sum[row, "objects"]
        bytes[type stack] += sum[row, "bytes"]
      }
      for (key in objects) print key, objects[key], bytes[key]
    }' figures | sort >expected
  run 0 report --traces --reports=alloc --maxframes $frames --format json "$logs/stock-alloc.mlpd.gz"
  mv figures whole-figures
  read_json
  awk -F '\t' '
    match ($1, /^allocations\.types\[.*\]\.traces\[[0-9]+\]\./) {
      row = substr ($1, 1, RLENGTH)
      rest = substr ($1, RLENGTH + 1)
      if (!(row in seen)) { seen[row] = 1; rows[n++] = row }
      if (rest ~ /^frames/) stack[row] = stack[row] "|" $2
      else sum[row, rest] = $2
    }
    END {
      for (i = 0; i < n; i++) {
        type = rows[i]
        sub (/\.traces.*/, "", type)
        print type stack[rows[i]], sum[rows[i], "objects"], sum[rows[i], "bytes"]
      }
    }' figures | sort >got
  test -s got || fail "no stacks"
  same got expected
  mv whole-figures figures
done
# Backtraces of a row come to what it has, with those that have none.
# adds_up TABLE FIGURE INNER: several methods may have one name.
adds_up ()
{
  awk -F '\t' -v table="$1[" -v figure="$2" -v inner="].$3[" '
    index ($1, table) != 1 { next }
    (at = index ($1, inner)) == 0 {
      row = $1
      if (sub ("\\]\\." figure "$", "", row)) whole[row] += $2
      next
    }
    $1 ~ "\\." figure "$" { sum[substr ($1, 1, at - 1)] += $2 }
    END {
      for (row in sum) if (sum[row] != whole[row]) print row, sum[row], "of", whole[row]; else n++
      if (n == 0) print "no rows"
      for (row in whole) if (whole[row] != 0 && !(row in sum)) print row, "has none"
    }' figures >wrong
  test ! -s wrong || fail "$1 $2: $(cat wrong)"
  checks=$((checks + 1))
}
of alloc alloc
adds_up allocations.types objects traces
adds_up allocations.types bytes traces
of exceptions exceptions
adds_up exceptions.types throws traces
of monitors monitors
adds_up monitors.objects contentions traces
of calls calls
adds_up calls.methods calls traces
of handles gc
adds_up gc.handles created created_at
adds_up gc.handles destroyed destroyed_at
# They are there when they are requested only.
for report in alloc calls monitors heapshots exceptions; do
  run 0 report --format json --reports=$report "$logs/stock-heapshot.mlpd.gz"
  grep -q '"frames"\|"references": \[' out && fail "$report has backtraces"
done
done_checks
