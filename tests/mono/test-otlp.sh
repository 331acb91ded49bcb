#!/bin/sh
# Samples of a program in OTLP, decoded by protoc: those in a span of a trace are linked to it, on whatever thread it is,
# no others are; each has the thread that it is of.  proflog push sends the same.
. "${srcdir:-.}/tests/mono/lib.sh"
need protoc python3
compile traced "$sources/../../managed/proflog.cs"
cd "$work" || exit 1

# samples FILE: as lines, in order.
samples ()
{
  protoc --decode=otlp.ProfilesData -I "$tests/cli" "$tests/cli/otlp.proto" <"$1" >text || fail "$1: protoc"
  python3 "$tests/cli/read-otlp.py" samples <text >unsorted || fail "$1 is not of the protocol"
  LC_ALL=C sort unsorted
}

# expect_links FILE: of samples.
expect_links ()
{
  link='0123456789abcdeffedcba9876543210 1122334455667788'
  for method in Linked Nested LinkedElsewhere; do
    grep "Traced:$method " "$1" >found || fail "no samples of $method: $(cat "$1")"
    test "$(grep -c "^cpu .* $link " found)" -ge 5 || fail "$method has few links: $(cat found)"
    ! grep -qv " $link " found || fail "$method is not linked: $(grep -v " $link " found | head -n 3)"
  done
  grep 'Traced:Outside ' "$1" >found || fail 'no samples outside'
  ! grep -q " $link " found || fail "what is outside is linked: $(grep " $link " found | head -n 3)"
  grep 'Traced:LinkedElsewhere ' "$1" | awk '{ print $4 }' | sort -u >found
  test "$(cat found)" = elsewhere || fail "LinkedElsewhere is on the threads $(cat found)"
  checks=$((checks + 5))
}

profiled "sample=200,format=17,output=$log" traced >"$work/out" || fail 'the program failed'
"$proflog" export -f otlp "$log" -o log.otlp --force || fail export
samples log.otlp >links
expect_links links
"$proflog" report -q --reports=cpu --format json "$log" | "$json_paths" >"$figures"
test "$(grep -c '^cpu ' links)" = "$(figure cpu.hits)" || fail "$(grep -c '^cpu ' links) values, $(figure cpu.hits) hits"
test "$(awk '$1 == "cpu" { sum += $3 } END { printf "%.0f", sum }' links)" = "$(figure cpu.total_ns)" || fail 'not all time'

# The pushed message has the same samples.
if test -x "$top_builddir/proflog-push"; then
  mkdir requests
  python3 "$tests/push/profile-stub.py" "$work/port" "$work/requests" >stub.out 2>&1 &
  stub=$!
  trap 'kill $stub 2>/dev/null; rm -rf "$work"' EXIT
  wait_for test -s port
  "$proflog" push --to otlp --url "http://127.0.0.1:$(cat port)" "$log" >out 2>err || fail "push: $(cat err)"
  gzip -dc <requests/1.otlp >pushed.otlp 2>/dev/null || cp requests/1.otlp pushed.otlp
  samples pushed.otlp >pushed
  cmp -s links pushed || fail 'push sends other samples than export writes'
  protoc --decode=otlp.MetricsData -I "$tests/cli" "$tests/cli/otlp.proto" <requests/metrics.otlp >text || fail 'metrics: protoc'
  python3 "$tests/cli/read-otlp.py" metrics <text >found || fail 'metrics are not of the protocol'
  grep -q '^process.thread.count {thread} {} ' found || fail "no threads: $(cat found)"

  # Of a running program metrics go beside its profiles.
  rm -f requests/* "$log"
  compile burn
  LD_LIBRARY_PATH=$module_dir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
    mono "--profile=proflog:sample,format=17,output=$log" "$programs/burn.exe" 1 >out 2>&1 &
  program=$!
  wait_for test -s "$log"
  "$proflog" push --to otlp --url "http://127.0.0.1:$(cat port)" --every 1s --start beginning $program >out 2>err \
    || fail "push --every: $(cat err)"
  wait $program || fail "the program ended with $?"
  protoc --decode=otlp.MetricsData -I "$tests/cli" "$tests/cli/otlp.proto" <requests/metrics.otlp >text || fail 'metrics: protoc'
  python3 "$tests/cli/read-otlp.py" resources <text >found || fail 'metrics of a running program are not of the protocol'
  grep -q "\"process.pid\": $program, \"process.runtime.name\": \"mono\", \"service.name\": \"burn.exe\"" found \
    || fail "the metrics are of: $(cat found), not of $program"
  python3 "$tests/cli/read-otlp.py" metrics <text >found
  grep -q '^dotnet.gc.pause.time s {} .* True$' found || fail "no pauses: $(cat found)"
  protoc --decode=otlp.ProfilesData -I "$tests/cli" "$tests/cli/otlp.proto" <requests/1.otlp >text || fail 'profile: protoc'
  python3 "$tests/cli/read-otlp.py" profiles <text | grep -q '^cpu nanoseconds ' || fail 'no profile of the running program'
fi
echo "$checks checks"
