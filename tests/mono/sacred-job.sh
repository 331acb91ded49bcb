#!/bin/sh
# sacred-job.sh MODE HOST RUNS WAY NUMBER ORDER -- one run of programs/sacred.exe, for sacred.sh, which sets $work,
# $proflog and the rest.  WAY is plain, or how it is profiled.  Prints a line about it: ok, or what differs.
mode=$1 host=$2 runs=$3 way=$4 number=$5 order=$6
run=$work/runs/$host-$mode.$way.$number
allowed=$work/allowed/$host-$mode
mkdir -p "$run" "$allowed"
cd "$run" || exit 1 # the runtime leaves files about crashes where it is
log=$run/log.mlpd

# program [OPTION]: the program, under `proflog run OPTION` if there is one ('' for its defaults).
program ()
{
  case $host:$# in
    mono:0) bounded mono "$exe" "$mode" "$go" ;;
    interpreter:0) bounded mono --interpreter "$exe" "$mode" "$go" ;;
    embedder:0) bounded "$embedder" '' "$exe" return "$mode" "$go" ;;
    mono:*) bounded "$proflog" run ${1:+"$1"} --force -o "$log" mono "$exe" "$mode" "$go" ;;
    interpreter:*) bounded "$proflog" run ${1:+"$1"} --force -o "$log" mono --interpreter "$exe" "$mode" "$go" ;;
    embedder:*) bounded "$embedder" "$(cat "$work/options/$way"),output=$log" "$exe" return "$mode" "$go" ;;
  esac
}

bounded ()
{
  LD_LIBRARY_PATH=$libraries "$run_bounded" "$seconds" "$run/out" "$run/err" "$@" <"$work/input" >"$run/status"
}

# attached OPTION...: the program starts alone; it is attached to before it begins, or while it works (midway).
attached ()
{
  go=$run/go
  test "$when" = before || : >"$go"
  program &
  for _ in $(seq 2000); do
    test ! -s "$go.pid" || break
    sleep 0.01
  done
  "$proflog" attach "$(cat "$go.pid")" "$@" --force -o "$log" >"$run/attach" 2>&1
  attach_status=$?
  : >"$go"
  wait
}

# outcome FILE: what the program did, without what differs from run to run: lines of ours, addresses, and what a crash
# dump of the runtime has below its headings.
outcome ()
{
  sed 's/ ms [0-9]*$//' "$run/status"
  for stream in out err; do
    echo "--- $stream"
    sed '/^proflog/d; s/\[0x[0-9a-f]*\]//; s/0x[0-9a-f]*/ADDRESS/g' "$run/$stream" | awk '
      /^\t(Native Crash Reporting|External Debugger Dump:)$/ { crash = 1 }
      !crash || /^\t[A-Z][A-Za-z ]*:?$/ || /^Got a SIG/ || /^Finished thread/ || /^\* Assertion/
      { is_end = /^=+$/ }
      END { if (crash && is_end) print "complete" }' | if test "$order" = any; then sort; else cat; fi
  done
}

# known FILE: whether the plain program had this outcome.
known ()
{
  for file in "$allowed"/*; do
    ! cmp -s "$1" "$file" || return 0
  done
  return 1
}

# Whether the module was there: programs that have no chance to load it would prove nothing.
recorded ()
{
  case $way in
    attach*midway*) return 0 ;;
    attach*) test "$attach_status" = 0 ;;
    *) test -s "$log" ;;
  esac
}

go=- when=before attach_status=0
case $way in
  plain) program ;;
  run) program '' ;;
  run-*) program "--${way#run-}" ;;
  attach) attached ;;
  attach-midway) when=midway attached ;;
  attach-*) attached "--${way#attach-}" ;;
esac
outcome >"$run/outcome"
ms=$(sed 's/.* //' "$run/status")
if test ! -s "$run/status"; then
  verdict='not run'
elif test "$way" = plain; then
  cp "$run/outcome" "$allowed/$number"
  verdict=ok
elif ! recorded; then
  verdict='not recorded'
elif known "$run/outcome"; then
  verdict=ok
elif test "$mode" = unload && grep -q '^\* Assertion at exception.c:109.*ThreadAbortException' "$run/out"; then
  # The runtime itself: without a profiler programs/faults.exe has it in one run of eight.
  verdict=ok
else
  verdict=differs
  # What the runtime itself does now and then.
  i=0
  while test "$runs" -gt 1 && test "$i" -lt 20 && test "$verdict" = differs; do
    i=$((i + 1))
    sh "$0" "$mode" "$host" 1 plain "$number.$way.$i" "$order" >/dev/null
    ! known "$run/outcome" || verdict=ok
  done
fi
echo "$host-$mode $way $number $ms $verdict"
test "$verdict" != ok || rm -rf "$run"
exit 0
