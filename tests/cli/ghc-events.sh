# ghc-events.sh -- what ghc-events makes of an eventlog that was a log of Mono.  Sourced after lib.sh, by tests
# that have the tool.

# read_by_ghc_events LOG: it finds as many events of each kind as `proflog dump`, but for the markers of blocks,
# which it does not show, and in order of time the text of `proflog show`.
read_by_ghc_events ()
{
  LC_ALL=C.UTF-8 ghc-events show "$1" >theirs 2>err || fail "ghc-events cannot read $1"
  awk -f "$tests/cli/eventlog-counts.awk" theirs | sort >got
  "$proflog" dump "$1" 2>err | awk 'NF >= 4 && $4 != "block-marker" { n[$4]++ } END { for (kind in n) print kind, n[kind] }' \
    | sort >expected
  cmp -s expected got || { diff expected got | head -n 20; fail "ghc-events counts otherwise in $1"; }
  "$proflog" show --raw-text "$1" 2>err | awk '/^[0-9]+: (cap [0-9]+: )?event block: cap / { getline; next } { print }' >ours
  cmp -s ours theirs || { diff ours theirs | head -n 20; fail "ghc-events shows other events of $1"; }
  checks=$((checks + $(wc -l <expected) + 1))
}
