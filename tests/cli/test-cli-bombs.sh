#!/bin/sh
# A compressed log is read up to a ratio; the rest is counted and the error names the option.  Real logs that
# repeat one call are within it.
. "${srcdir:-.}/tests/cli/lib.sh"
need zstd

# 32 events in 3 buffers (tests/logs), and 96 MiB of zeros.
dd if=/dev/zero bs=1048576 count=96 2>/dev/null | cat "$small" - | gzip -c >bomb.gz
dd if=/dev/zero bs=1048576 count=96 2>/dev/null | cat "$small" - | zstd -q -c >bomb.zst
run 0 report --format json "$small"
read_json
grep '^calls\.\|^allocations\.total' figures >plain
test -s plain || fail "no figures"
gzip -dc "$logs/ghc-sparks.eventlog.gz" >eventlog
{ cat eventlog; dd if=/dev/zero bs=1048576 count=96 2>/dev/null; } | zstd -q -c >eventlog.zst

free=$((64 * 1024 * 1024))

# numbers FILE: the error's numbers are right: at most 256 KiB above the limit, a ratio above it, and all bytes of
# the file are accounted for.
numbers ()
{
  sed -n 's/.*: \([0-9]*\) bytes of it are inflated to \([0-9]*\), more than 200 times as many; --max-ratio N .*(\([0-9]*\) bytes of the file not read).*/\1 \2 \3/p' err >words
  read -r consumed inflated rest <words || fail "$1: no numbers"
  test $((consumed + rest)) = "$(wc -c <"$1")" || fail "$1: $consumed and $rest bytes"
  test "$inflated" -gt "$free" && test "$inflated" -le $((free + 262144)) || fail "$1: $inflated bytes"
  test $((inflated / 200)) -gt "$consumed" || fail "$1: not 200 times"
}

# All read by the same input: each command once.
for bomb in bomb.gz bomb.zst eventlog.zst; do
  case $bomb in
    *.gz) commands='report info stats dump show cut merge anonymize' ;;
    *) commands='report show cut' ;;
  esac
  for command in $commands; do
    rm -f written
    run 0 $command "$bomb" -o written
    test "$command" = merge && grep -q 'not read to its end' err && continue
    numbers "$bomb"
  done
  run 4 info --strict "$bomb"
  run 1 check "$bomb"
  grep -q -e '--max-ratio N' out || fail "check: no word of it"
  rm -f written
  run 0 repair "$bomb" -o written
  says err '--max-ratio N'
  run 0 query "$bomb" 'SELECT message FROM damage'
  says out '--max-ratio N'
done
for bomb in bomb.gz bomb.zst; do
  # What was read before is shown.
  run 0 report -q --format json "$bomb"
  read_json
  grep '^calls\.\|^allocations\.total' figures >found
  same found plain
  # From a pipe the rest is not known.
  cat "$bomb" | run_into out 0 info -
  says err 'more than 200 times as many; --max-ratio N'
  run 3 follow "$bomb"
  says err 'more than 200 times as many; --max-ratio N'
  for ratio in 200000 0; do
    run 0 info --max-ratio $ratio "$bomb"
    grep -q 'max-ratio' err && fail "a limit in spite of --max-ratio $ratio"
    says err "$((96 * 1024 * 1024)) bytes"
  done
  run 0 info --max-ratio 3 "$bomb"
  says err 'more than 3 times as many'
done
for wrong in x -1 1.5 18446744073709551616 ''; do
  run 2 info --max-ratio="$wrong" bomb.gz
  says err '--max-ratio'
done

# A program that calls one method 12 million times: some 72 MB of log.
test -x "$top_builddir/tests/host/proflog-host" || { leave_out libffi the host is not built; done_checks; exit; }
cat >calls.scn <<END
fire method_enter Main 0
repeat i 12000000
  fire method_enter Work 0
  fire method_leave Work 0
end
fire method_leave Main 0
shutdown
END
"$top_builddir/tests/host/proflog-host" --module "$module" --profile="proflog:output=calls.mlpd,calls" \
  --truth truth "$tests/host/scenarios/world.scn" calls.scn >out 2>err || fail "the host"
test "$(wc -c <calls.mlpd)" -gt "$free" || fail "the log is too small for this test"
gzip -1 <calls.mlpd >calls.gz
zstd -q -9 <calls.mlpd >calls.zst
for packed in calls.gz calls.zst; do
  run 0 report --reports=calls --strict --format json $packed
  quiet err
  read_json
  expect calls.total 12000001
done
done_checks
