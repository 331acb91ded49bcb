#!/bin/sh
# The log's disk gets full, or its file as large as may be: what is in memory then goes to another output
# if one is asked for, stays in the spool, or is counted.
. "${srcdir:-.}/tests/host/host-lib.sh"
. "${srcdir:-.}/tests/host/control-lib.sh"

# Two threads that fill some 3 MiB; in between they wait for another output.
cat >"$work/fill" <<END
parallel t 2
  stack Step Work Main
  repeat i 120000
    fire gc_allocation strings[\$t]
  end
end
print filled
await $work/two
class Between app Program Between
objects betweens Between 0x7f0000600000 24 1000
parallel t 2
  repeat i 100
    fire gc_allocation betweens[\$t]
  end
end
print two
await $work/go
END

# So many bytes a file may have: 1 MiB.
limit=2048

# filled OPTIONS: the program until its log is as large as may be.
filled () {
  rm -f "$work/two" "$work"/else*.mlpd "$log.spool"
  here=$(ulimit -S -f)
  ulimit -S -f $limit
  start_host "nodefaults,alloc,buffer=64k,$1" "$(cat "$work/fill")"
  ulimit -S -f "$here"
  until_printed filled
  wait_for status_has "problem: File too large"
}

# told_loss: how many events the line at the end tells; 0 if there is none.
told_loss () {
  lost=$(sed -n 's/.* lacks .*[^0-9]\([0-9]*\) events ([0-9]* bytes), as they could not be written$/\1/p' "$work/err")
  [ -n "$lost" ] || lost=$(sed -n 's/.* lacks \([0-9]*\) events ([0-9]* bytes), as they could not be written$/\1/p' "$work/err")
  echo "${lost:-0}"
}

# fired: allocations that the module was told of.
fired () {
  sed -n 's/^delivered.gc_allocation //p' "$truth"
}

# events FILE...: allocations in these logs, one by one.
events () {
  sum=0
  for file; do
    n=$("$proflog" dump --format csv "$file" 2>/dev/null | grep -c '^[^{]*,alloc,') || :
    sum=$((sum + n))
  done
  echo "$sum"
}

for options in format=1 format=17; do
  begin "another output goes on, $options"
  filled "$options"
  status_has "recording: no" || fail "$(cat "$work/reply")"
  ctl_json 0 status
  grep -q '"problem":"File too large"' "$work/reply" || fail "$(cat "$work/reply")"
  ctl 3 start
  grep -q "cannot be written any more: File too large; 'output FILE' lets it go on elsewhere" "$work/reply" \
    || fail "$(cat "$work/reply")"
  ctl 3 flush
  grep -q "cannot be written any more: File too large" "$work/reply" || fail "$(cat "$work/reply")"
  ctl 3 output "$work/none/else.mlpd"
  status_has "problem: File too large" || fail "$(cat "$work/reply")"
  ctl 0 output "$work/else.mlpd"
  status_has "problem: " || fail "$(cat "$work/reply")"
  status_has "recording: yes" || fail "$(cat "$work/reply")"
  touch "$work/two"
  until_printed two
  stop_host
  grep -q "cannot write the log $log: File too large; recording ends here, until 'proflog ctl $pid output FILE'" \
    "$work/err" || fail "it is not told"
  [ ! -e "$log.spool" ] && [ ! -e "$work/else.mlpd.spool" ] || fail "a spool is left"
  # The first log was cut where it was whole, and has its end.
  "$check_log" "$log" more="$work/else.mlpd" truth="$truth" same=alloc "alloc>=10000" || fail "the logs are wrong"
  [ "$(stat -c %s "$log")" -gt 900000 ] || fail "the first log has $(stat -c %s "$log") bytes"
  [ "$("$proflog" dump "$work/else.mlpd" | grep -c " alloc .*Program.Between")" = 200 ] \
    || fail "not all of what came later is in the second log"
  ! grep -q "lacks" "$work/err" || fail "something is told to be lost"
done

begin "no other output comes: the spool has it"
filled memory=32M
touch "$work/two"
stop_host
lost=$(told_loss)
if [ -e "$log.spool" ]; then
  grep -q "the log $log is not complete: File too large; the rest is in $log.spool\$" "$work/err" \
    || fail "it is not told where the rest is"
fi
there=$(events "$log")
[ $((there + lost)) = "$(fired)" ] || fail "$there in the log and the spool and $lost lost are not $(fired)"
# The spool may be as large as the log only: what waits may all lie behind that.
[ -e "$log.spool" ] || [ "$lost" -gt 0 ] || fail "nothing is in the spool"
echo "$there events, $lost lost"

begin "there is no spool: what is lost is counted, and told in the log"
filled format=17,spool=none
touch "$work/two"
stop_host
[ ! -e "$log.spool" ] || fail "there is a spool"
lost=$(told_loss)
[ "$lost" -gt 0 ] || fail "nothing is told to be lost"
there=$(events "$log")
[ $((there + lost)) = "$(fired)" ] || fail "$there in the log and $lost lost are not $(fired)"
"$check_log" "$log" "alloc>=10000" || fail "the log is wrong"
"$proflog" report --format json "$log" >"$work/out" 2>"$work/err2" || fail "report"
grep -q "the profiler dropped $lost events" "$work/err2" || fail "the log does not tell it: $(cat "$work/err2")"

# Each buffer is flushed, so that the compression can be ended behind it.
for zip in zip zip=zstd; do
  begin "a compressed file is cut where it is whole, $zip"
  if [ $zip = zip=zstd ] && ! grep -q "^#define HAVE_ZSTD" config.h; then
    continue
  fi
  # Its end has room behind it, wherever that is.
  for limit in 40 41 42 43; do
    filled "format=17,spool=none,$zip"
    touch "$work/two"
    stop_host
    case $zip in
      zip) gzip -t <"$log" || fail "it is not whole for gzip" ;;
      *) ! command -v zstd >/dev/null || zstd -tq <"$log" || fail "it is not whole for zstd" ;;
    esac
    lost=$(told_loss)
    there=$(events "$log")
    [ "$there" -gt 0 ] || fail "nothing is in the log"
    [ $((there + lost)) = "$(fired)" ] || fail "$there in the log and $lost lost are not $(fired)"
    "$proflog" info "$log" >"$work/out" 2>"$work/err2" || fail "info"
    [ "$(grep -v "the profiler dropped $lost events" "$work/err2")" = "" ] || fail "$(cat "$work/err2")"
    [ "$(stat -c %s "$log")" -gt 10000 ] || fail "the log has $(stat -c %s "$log") bytes"
  done

  begin "another output goes on behind a compressed file, $zip"
  command -v prlimit >/dev/null && [ "$(ulimit -H -f)" = unlimited ] || continue
  filled "$zip"
  prlimit --pid "$pid" --fsize=unlimited:
  ctl 0 output "$work/else.mlpd"
  touch "$work/two"
  until_printed two
  stop_host
  "$check_log" "$log" more="$work/else.mlpd" truth="$truth" same=alloc || fail "the logs are wrong"
  ! grep -q "lacks" "$work/err" || fail "something is told to be lost"
done
