#!/bin/sh
# The bands of a heap profile (-hT) of a running Haskell program with libproflog-ghc, in top, metrics and the page of
# serve in Chromium: a map of so many keys has as many nodes of six words.
. "${srcdir:-.}/tests/ghc/lib.sh"
. "$tests/serve/lib.sh"
need ghc curl node chromium
program=
trap 'kill -9 $served $program 2>/dev/null; rm -rf "$work"' EXIT
tree=$sources/../..
unset PROFLOG_GHC
use_runtime_dir

cp "$tree/haskell/proflog-main.c" "$tests/ghc-live/Held.hs" .
ghc -v0 -Wall -threaded -O0 -eventlog -no-hs-main -optc-DPROFLOG_RTSOPTS=RtsOptsAll "-I$tree/include" \
  -outputdir held.o -o held Held.hs proflog-main.c "-L$top_builddir/.libs" \
  "-optl-Wl,-rpath,$top_builddir/.libs" -lproflog-ghc >out 2>err || { cat err >&2; fail "it does not compile"; }
mkfifo input
PROFLOG_GHC=output=held.eventlog,flush=50ms ./held +RTS -hT -i0.1 <input >printed 2>program.err &
program=$!
exec 8>input
wait_for test -s held.eventlog
serve --interval 100ms held.eventlog 8>&-

# The runtime takes samples while the program works.
work ()
{
  echo garbage >&8
  sleep 0.02
}
node='containers-[0-9.]*:Data.Map.Internal.Bin'
nodes ()
{
  curl -sf "${url}metrics" | sed -n "s/^proflog_heap_profile_bytes{band=\"$node\"} //p"
}
has_nodes ()
{
  work
  test "$(nodes)" = "$1"
}
for _ in 1 2 3 4 5; do echo more >&8; done
wait_for has_nodes $((5000 * 6 * 8))
checks=$((checks + 1))
for _ in 1 2 3 4 5; do echo more >&8; done
wait_for has_nodes $((10000 * 6 * 8))
checks=$((checks + 1))

# The page: a row, an area in the plot, and no plots of what eventlogs do not have.
name=$(curl -sf "${url}metrics" | sed -n "s/^proflog_heap_profile_bytes{band=\"\\($node\\)\"} .*/\\1/p")
plot='[...document.querySelectorAll("#plots figure")].find((f) => f.textContent.startsWith("Heap profile"))'
browse \
  wait "$(page_row bands "$name" 0) === 480000" \
  wait "$plot?.hidden === false" \
  print "[...$plot.querySelectorAll('.legend > span:not([hidden])')].map((e) => e.childNodes[1].data.trim()).includes('$name')" \
  print '[...document.querySelectorAll("#plots figure")].filter((f) => /^(Exceptions|Waits for locks)/.test(f.textContent)).every((f) => f.hidden)'
printf '%s\n' true true >expected
same expected page
checks=$((checks + 1))
exec 8>&-
wait "$program" || fail "the program ended with $?"
program=
tail -n 1 printed >last
same_lines last 10000
end_server TERM 0
run 0 top --once held.eventlog
grep -q "480.0 kB .*480.0 kB  $node" out || fail "top has no such band"
done_checks
