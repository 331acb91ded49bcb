#!/bin/sh
# speedscope, in Chromium, reads the formats that `export --list` states for it, and shows of each function of our
# stacks the times that they add up to.
. "${srcdir:-.}/tests/peers/peers.sh"
need node chromium
need_peer speedscope speedscope/dist/release/index.html

# show FILE STEP...: what its page prints of the file is in shown.
show ()
{
  shown_file=$1
  shift
  {
    printf 'speedscope.loadFileFromBase64("%s", "' "$(basename "$shown_file")"
    base64 -w 0 "$shown_file"
    printf '")'
  } >"$work/profile.js"
  node "$tests/serve/browse.mjs" \
    "file://$PROFLOG_PEERS/speedscope/dist/release/index.html#localProfilePath=$work/profile.js" \
    wait 'document.body.innerText.includes("Sandwich")' "$@" >"$work/shown" 2>"$work/err" \
    || fail "speedscope does not show $shown_file of $log"
}

tab='[...document.querySelectorAll("div")].filter((d) => d.innerText.endsWith("Sandwich")).pop()'
# The list of several profiles and the head are rows, too.
rows='[...document.querySelectorAll("tr")].map((row) => [...row.cells].map((cell) => cell.innerText))'
rows="$rows.filter((row) => row.length == 3 && row[0].endsWith(\")\"))"

# judge_stacks LOG SOURCE: in the formats of stacks.
judge_stacks ()
{
  log=$(path_of "$1")
  "$proflog" export -q --format folded --source "$2" "$log" >"$work/stacks.folded" 2>"$work/err" || return 0
  "$proflog" export -q --format speedscope --source "$2" "$log" >"$work/stacks.speedscope.json" || fail "export $log"
  unit=$(sed -n 's/.*"unit":"\([a-z]*\)".*/\1/p' "$work/stacks.speedscope.json" | head -n 1)
  # It shows the first of several profiles.
  cap=$(sed -n 's/.*"name":"Capability \([0-9]*\)".*/\1/p' "$work/stacks.speedscope.json" | head -n 1)
  test -z "$cap" || "$proflog" export -q --format folded --source "$2" --cap "$cap" "$log" >"$work/stacks.folded" \
    || fail "export --cap $cap $log"
  for file in $stack_files; do
    show "$work/$file" print "$tab.click() ?? 1" wait "$rows.length > 0" print "$rows"
    sed -n '$p' "$work/shown" >"$work/rows"
    # A folded stack has no unit.
    case $file in *.folded) unit=none ;; esac
    node "$peers/peer-speedscope.mjs" "$work/rows" "$unit" "$work/stacks.folded" >"$work/out" 2>"$work/err" \
      || fail "speedscope does not agree: $2 of $log, $file"
    echo "$2, $file: $(tail -n 1 "$work/out")"
  done
}

# judge_trace LOG FORMAT [OPTION...]: it shows a trace.
judge_trace ()
{
  log=$(path_of "$1")
  "$proflog" export -q --format "$2" -o "$work/trace.json" --force "$log" || fail "export $log"
  show "$work/trace.json" print 1
}

judge_all ()
{
  for source in samples calls allocations locks exceptions; do
    judge_stacks "$1" "$source"
  done
}

stack_files=stacks.speedscope.json
judge_given judge_all
stack_files='stacks.speedscope.json stacks.folded'
for format in $("$proflog" export --list | awk '/speedscope/ { print $1 }'); do
  case $format in
    folded | speedscope) ;;
    *) judge_trace all-v17.mlpd "$format" ;;
  esac
done
judge_stacks module-calls.mlpd.gz calls
judge_stacks module-alloc.mlpd.gz allocations
judge_stacks stock-exceptions.mlpd.gz exceptions
judge_stacks ghc-ticks.eventlog.gz samples
