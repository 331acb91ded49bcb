#!/bin/sh
# The page of proflog serve of a running C# program: figures as the program counts them, and buttons
# that stop and start recording.
. "${srcdir:-.}/tests/mono/lib.sh"
. "$sources/control-program.sh"
. "$tests/serve/lib.sh"
need curl node chromium
trap 'kill -9 $pid $served 2>/dev/null; rm -rf "$work"' EXIT

figure='document.querySelector("#figure-exceptions_all")?.dataset.value'
recording='document.querySelector("#recording").dataset.recording'
answer='document.querySelector("#answer").textContent'

# step_of COUNT LINE: a command that has the program take its next step, the one of this number.
step_of ()
{
  echo "echo '$2' >'$work/input'; until test \$(grep -c '^done' '$work/out') -ge $1; do sleep 0.02; done"
}

begin "format=17,alloc,calls,exception,flush=100ms"
step "count 100"
serve --interval 200ms --flush 200ms "$pid" </dev/null 7>&-
browse \
  wait "Number($figure) === 100" \
  print "$(page_row types Probe.Item 3)" \
  print "$(page_row methods 'Probe.Control:Work (Probe.Item)' 7)" \
  print "$(page_row exceptions Probe.Trouble 1)" \
  wait "$recording === 'true'" \
  click '[data-command=stop]' \
  wait "$recording === 'false' && $answer === 'stop: done'" \
  run "$(step_of 2 'skip 50')" \
  run "'$proflog' ctl $pid flush >&2" \
  run "'$proflog' ctl $pid status | grep -qx 'recording: no'" \
  print 'document.querySelector("[data-command=stop]").disabled && (document.querySelector("[data-command=start]").focus(), 1)' \
  press Enter \
  wait "$recording === 'true' && $answer === 'start: done'" \
  run "$(step_of 3 'count 7')" \
  wait "Number($figure) >= 107" \
  click '#class-exception' \
  wait "$answer === 'disable exception: done' && !document.querySelector('#class-exception').checked" \
  run "$(step_of 4 'skip 20')" \
  click '#class-exception' \
  wait "$answer === 'enable exception: done' && document.querySelector('#class-exception').checked" \
  run "$(step_of 5 'count 3')" \
  wait "Number($figure) >= 110" \
  click '[data-command=heapshot]' \
  wait "$answer === 'heapshot: done'" \
  run "'$proflog' ctl $pid status | grep -qx 'heap shots: 1'" \
  ${PROFLOG_SHOT:+shot "$PROFLOG_SHOT"} \
  print "Number($figure)"
test "$(tr '\n' ' ' <"$work/page")" = "100 100 100 1 110 " || fail "the page: $(cat "$work/page")"
steps=5
step print
grep -qx "throws:Probe.Trouble 110" "$work/out" || fail "the program counts otherwise: $(cat "$work/out")"

# All numbers are those of `top`, when nothing goes on.
ctl 0 stop
ctl 0 flush
"$proflog" top --once --interval 300ms --flush 0 --format jsonl "$pid" >"$work/top" </dev/null || fail "top"
events=$(sed 's/.*"events_all":\([0-9]*\).*/\1/' "$work/top")
metric_becomes proflog_events_total "$events"
browse wait "document.querySelector('#figure-events_all')?.dataset.value === '$events'" print "$page_numbers"
same_numbers "$work/page" "$work/top"
end_server INT 0
end_steps
grep -qx "objects:Probe.Item 110" "$work/out" || fail "the program counts otherwise: $(cat "$work/out")"
checks=40

# Through a socket there are figures, and no control.
socket=$work/socket
begin "format=17,alloc,exception,flush=100ms,output=unix-listen:$socket"
wait_for test -S "$socket"
serve --interval 200ms "unix:$socket" </dev/null 7>&-
step "count 30"
metric_becomes proflog_exceptions_total 30
browse wait "Number($figure) === 30" print "$(page_row types Probe.Item 3)" \
  print 'document.querySelector("#control").hidden'
test "$(tr '\n' ' ' <"$work/page")" = "30 true " || fail "the page: $(cat "$work/page")"
end_steps
end_server TERM 0
echo "$((checks + 3)) figures checked"
