#!/bin/sh
# A program that is killed at any moment: what it had counted is in its log, under its names.
# PROFLOG_KILLS is how often each program is killed.
. "${srcdir:-.}/tests/mono/lib.sh"

kills=${PROFLOG_KILLS:-4}
counts=$work/counts
nothing=0
compile killed

# compare WHAT: the report holds what was counted, and at most one object a thread more.
compare ()
{
  total=0
  for thread in 1 2 3; do
    total=$((total + $(counted $thread)))
  done
  if test ! -s "$log" && test ! -f "$log.spool"; then
    test "$total" = 0 || fail "$1: no log, and $total objects"
    nothing=$((nothing + 1))
    return
  fi
  "$top_builddir/tests/host/check-log" "$log" || fail "$1: the log is not in order"
  "$proflog" report --format json "$log" >"$work/report.json" 2>"$work/report.err" \
    || { cat "$work/report.err"; fail "$1: the log cannot be read"; }
  "$json_paths" <"$work/report.json" >"$figures" || fail "$1: the report is not JSON"
  expect damage.truncated false
  expect damage.skipped_bytes 0
  for type in 1:First 2:Second 3:Third; do
    truth_count=$(counted "${type%:*}")
    objects=$(figure "allocations.types[Killed.${type#*:}].objects")
    test "$objects" -ge "$truth_count" && test "$objects" -le $((truth_count + 1)) \
      || fail "$1: $objects of Killed.${type#*:} in the log, $truth_count were counted"
    checks=$((checks + 1))
  done
}

fresh ()
{
  rm -f "$log" "$log.spool"
  head -c 4096 /dev/zero >"$counts"
}

as_run=$(run_options --native --with alloc) || exit 1
for program in busy slow idle; do
  kill_number=0
  while test "$kill_number" -lt "$kills"; do
    fresh
    # Each second time with what `proflog run` records.
    options=alloc
    test $((kill_number % 2)) = 0 || options=$as_run
    LD_LIBRARY_PATH=$module_dir mono "--profile=proflog:$options,output=$log" "$programs/killed.exe" \
      "$counts" "$program" >/dev/null 2>&1 &
    pid=$!
    # From 50 to 800 ms: from before its start on.
    ms=$((50 + $(od -An -N2 -tu2 /dev/urandom) % 750))
    sleep "$(printf '0.%03d' $ms)"
    kill -9 $pid
    wait $pid 2>/dev/null
    compare "$program, $options, killed after $ms ms"
    kill_number=$((kill_number + 1))
  done
done
test "$nothing" -lt $((3 * kills)) || fail "no program came so far that it counted"

# A program that sleeps records nothing, and its log lasts as long as it lived: 2 s at least.
compile quiet
for options in exception format=17,sample; do
  fresh
  LD_LIBRARY_PATH=$module_dir mono "--profile=proflog:$options,output=$log" "$programs/quiet.exe" 60000 >"$work/out" 2>&1 &
  pid=$!
  while ! grep -q up "$work/out"; do sleep 0.01; done
  sleep 2
  kill -9 $pid
  wait $pid 2>/dev/null
  "$proflog" report --format json "$log" 2>/dev/null | "$json_paths" >"$figures" || fail "$options: no report"
  lasted=$(figure log.duration_ns)
  test "$lasted" -ge 1800000000 || fail "$options: a log of $lasted ns of a program that slept for 2 s"
  checks=$((checks + 1))
done

# What it does to itself.  The log that `repair` makes is the same.  (The runtime leaves files of its
# own about a crash where it is.)
for options in alloc "$as_run"; do
  for end in failfast:134 abort:134 _exit:5; do
    fresh
    (cd "$work" && profiled "$options,output=$log" killed "$counts" "${end%:*}") >"$work/out" 2>&1
    status=$?
    test "$status" = "${end#*:}" || { cat "$work/out"; fail "$end, $options: it ended with $status"; }
    test -f "$log.spool" || fail "$end: no spool is left"
    test "$(counted 1)" = 1000 || fail "$end: $(counted 1) objects were counted"
    compare "$end"
    sed '/^log\.\|name/d' "$figures" >"$work/before"
    "$proflog" repair "$log" -o "$work/whole.mlpd" 2>"$work/repair.err" \
      || { cat "$work/repair.err"; fail "$end: the log is not repaired"; }
    "$proflog" check "$work/whole.mlpd" >"$work/out" 2>&1 \
      || { cat "$work/out"; fail "$end: the repaired log is not good"; }
    rm -f "$log" "$log.spool"
    mv "$work/whole.mlpd" "$log"
    compare "$end, repaired"
    sed '/^log\.\|name/d' "$figures" | diff "$work/before" - || fail "$end: the repaired log differs"
  done
done
echo "$checks figures agree"
