#!/bin/sh
# The page of proflog serve draws the samples of a log that still comes as a flame graph: the
# last one has the processor time that the report of the log states.
. "${srcdir:-.}/tests/mono/lib.sh"
. "$tests/serve/lib.sh"
need curl node chromium
compile burn
trap 'kill -9 $served 2>/dev/null; rm -rf "$work"' EXIT

record 0 "sample=1000,flush=100ms,format=17" burn 1
total=$(figure cpu.total_ns "$figures")
test "$total" -gt 0 || fail "no samples"
bytes=$(wc -c <"$log")
mkfifo "$work/feed"
exec 8<>"$work/feed"
serve --interval 100ms - <"$work/feed" 8<&-
# The module writes what samples are of at the end of buffers: half of the log has some.
head -c $((bytes / 2)) "$log" >&8
sum='Number(document.querySelector("#flame").dataset.total)'
status='document.querySelector("#flame .status").textContent'
browse \
  wait "!document.querySelector('#flame').hidden" \
  print "$sum" \
  print 'document.querySelector("#flame canvas").focus() ?? 1' \
  press ArrowDown \
  press Enter \
  run "tail -c +$((bytes / 2 + 1)) '$log' >'$work/feed'" \
  wait "$sum === $total" \
  wait "!$status.startsWith('all - ')" \
  print "$status.split(' - ')[0]" \
  click '#flame .invert' \
  wait 'document.querySelector("#flame .invert").ariaPressed === "true"' \
  ${PROFLOG_SHOT:+shot "$PROFLOG_SHOT"} \
  print "$sum"
{ read -r half; read -r _; read -r zoomed; read -r inverted; } <"$work/page"
test "$half" -gt 0 && test "$half" -lt "$total" || fail "half of the log has $half of $total ns"
test "$inverted" = "$total" || fail "$inverted of $total ns from below"
test "$zoomed" != '"all"' || fail "the zoom is lost"
exec 8>&-
end_server TERM 0
echo "5 figures checked"
