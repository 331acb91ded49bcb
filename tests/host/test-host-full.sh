#!/bin/sh
# The log's disk gets full, or its file as large as may be: what is in memory then goes to another output
# if one is requested, stays in the spool, or is counted.
. "${srcdir:-.}/tests/host/host-lib.sh"
. "${srcdir:-.}/tests/host/control-lib.sh"

# Two threads that fill some 3 MiB, or 1.2; in between they wait for another output.  An event has 13 bytes,
# and 18 with the address sanitizer: half of them is more than the limit below, and less than twice that.
whole=120000 half=48000
cat >"$work/fill" <<END
parallel t 2
  stack Step Work Main
  repeat i EACH
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

# With sanitizers some of the formats and places.
formats="format=1 format=17 format=eventlog" limits="40 41 42 43" full="600000 604096 606000"
[ "${SANITIZER:-no}" = no ] || formats="format=17 format=eventlog" limits=41 full=604096
case ${SANITIZER:-no} in *thread*) formats=format=17 ;; esac

# So many bytes a file may have: 1 MiB.
limit=2048

# filled EACH OPTIONS: the program until its log is as large as may be.  In an eventlog exceptions are
# events.
filled () {
  rm -f "$work/two" "$work"/else*.mlpd "$log.spool"
  sed -e "s/EACH/$1/" -e "$(in_eventlog "$2")" "$work/fill" >"$work/commands"
  shift
  here=$(ulimit -S -f)
  ulimit -S -f $limit
  start_host "nodefaults,alloc,exception,buffer=64k,$1" "$(cat "$work/commands")"
  ulimit -S -f "$here"
  until_printed filled
  wait_for status_has "problem: File too large"
}

# in_eventlog OPTIONS: what sed does with the scenario.
in_eventlog () {
  case $1 in
    *eventlog*) echo 's/fire gc_allocation .*/fire exception_throw exceptions[0]/' ;;
  esac
}

# fired: events that the module was informed of.
fired () {
  sed -n -e 's/^delivered.gc_allocation //p' -e 's/^delivered.exception_throw //p' "$truth" \
    | awk '{ sum += $1 } END { print sum }'
}

# events: allocations in the log; of an eventlog, all events of capabilities.
events () {
  "$proflog" dump --format csv "$log" 2>/dev/null >"$work/dump" || fail "dump"
  pattern='^[^{]*,alloc,'
  ! grep -q ',cap-create,' "$work/dump" || pattern='^[0-9]*,[0-9]*,[0-9]'
  grep -c "$pattern" "$work/dump" || :
}

# states_loss LOG EVENTS REASON: all readers of the log state the loss, and none calls it complete.
states_loss () {
  status=0
  "$proflog" check "$1" >"$work/check" 2>/dev/null || status=$?
  [ "$status" = 1 ] || fail "check ended with $status: $(cat "$work/check")"
  grep -q "^  State  *damaged\$" "$work/check" || fail "check: $(cat "$work/check")"
  grep -q "^  Lost events  *$2\$" "$work/check" || fail "check: $(cat "$work/check")"
  grep -q " error .*$2 events.*$3\$" "$work/check" || fail "check: $(cat "$work/check")"
  for command in report info; do
    "$proflog" $command --format json "$1" >"$work/json" 2>"$work/err2" || fail "$command"
    grep -q "\"lost_events\": $2,\$" "$work/json" || fail "$command: $(cat "$work/json")"
    [ $command = report ] || grep -q '"complete": false,$' "$work/json" || fail "$command calls the log complete"
    grep -q "warning: .*$2 events.*$3\$" "$work/err2" || fail "$command: $(cat "$work/err2")"
    "$proflog" $command --strict "$1" >/dev/null 2>&1 && fail "$command --strict accepts it"
  done
  return 0
}

# adds_up: what is in the log, and what is lost, is what was fired, and the name that came last, unless the log
# has it; in data version 17 its vtable, too.  In an eventlog each of the four threads has three events besides, and each of the one or two capabilities
# three.
adds_up () {
  there=$(events) all=$(fired)
  if grep -q ',cap-create,' "$work/dump"; then
    all=$((all + 3 * 4 + 3))
    [ $((there + lost)) = "$all" ] || all=$((all + 3))
  elif ! "$proflog" dump "$log" 2>/dev/null | grep -q ' metadata-class .*Program.Between'; then
    all=$((all + 1))
    ! "$proflog" info "$log" 2>/dev/null | grep -q '^  Data version  *17$' || all=$((all + 1))
  fi
  [ $((there + lost)) = "$all" ] || fail "$there in the log and $lost lost are not $all"
  echo "$there events, $lost lost, of $all"
}

for options in format=1 format=17; do
  begin "another output goes on, $options"
  filled $half "$options"
  status_has "recording: no" || fail "$(cat "$work/reply")"
  ctl_json 0 status
  grep -q '"problem":"File too large"' "$work/reply" || fail "$(cat "$work/reply")"
  ctl 3 start
  grep -q "can no longer be written: File too large; 'output FILE' lets it go on elsewhere" "$work/reply" \
    || fail "$(cat "$work/reply")"
  ctl 3 flush
  grep -q "can no longer be written: File too large" "$work/reply" || fail "$(cat "$work/reply")"
  ctl 3 output "$work/none/else.mlpd"
  status_has "problem: File too large" || fail "$(cat "$work/reply")"
  # The second log may be larger than the limit, too.
  command -v prlimit >/dev/null && [ "$(ulimit -H -f)" = unlimited ] && prlimit --pid "$pid" --fsize=unlimited:
  ctl 0 output "$work/else.mlpd"
  status_has "problem: " || fail "$(cat "$work/reply")"
  status_has "recording: yes" || fail "$(cat "$work/reply")"
  touch "$work/two"
  until_printed two
  stop_host
  # Nothing was lost.
  quiet
  [ ! -e "$log.spool" ] && [ ! -e "$work/else.mlpd.spool" ] || fail "a spool is left"
  # The first log was cut where it was whole, and has its end.
  "$check_log" "$log" more="$work/else.mlpd" truth="$truth" same=alloc "alloc>=10000" || fail "the logs are wrong"
  [ "$(stat -c %s "$log")" -gt 900000 ] || fail "the first log has $(stat -c %s "$log") bytes"
  [ "$("$proflog" dump "$work/else.mlpd" | grep -c " alloc .*Program.Between")" = 200 ] \
    || fail "not all of what came later is in the second log"
done

# What waits has no room in memory: the rest is counted, also what comes later.
for options in $formats; do
  begin "no other output comes: the spool has some of it, the rest is counted, $options"
  filled $whole "$options,memory=1M"
  touch "$work/two"
  stop_host
  incomplete "$log" "File too large"
  [ "$lost" -gt 10000 ] || fail "only $lost events are lost"
  [ -e "$log.spool" ] || fail "no spool is left"
  adds_up
  "$proflog" info "$log" >"$work/out" 2>"$work/err2" || fail "info"
  grep -q "^proflog: $log.spool was read, too: the log could no longer be written (File too large); [0-9]* buffers" \
    "$work/err2" || fail "$(cat "$work/err2")"
  ! grep -q "did not end normally" "$work/err2" || fail "info: $(cat "$work/err2")"
  states_loss "$log" "$lost" "File too large"
  # Without the spool more is missing, and how much cannot be determined.
  mv "$log.spool" "$work/elsewhere"
  states_loss "$log" "$lost" "File too large"
  "$proflog" check "$log" >"$work/check" 2>/dev/null && fail "check"
  grep -q "no end mark" "$work/check" || fail "check: $(cat "$work/check")"

  begin "there is no spool, $options"
  filled $whole "$options,spool=none,memory=1M"
  touch "$work/two"
  stop_host
  incomplete "$log" "File too large"
  [ "$lost" -gt 10000 ] || fail "only $lost events are lost"
  adds_up
  states_loss "$log" "$lost" "File too large"
  "$proflog" check "$log" >"$work/check" 2>/dev/null && fail "check"
  ! grep -q "no end mark" "$work/check" || fail "check: $(cat "$work/check")"
  if [ "$options" != format=eventlog ]; then
    "$check_log" "$log" "alloc>=10000" || fail "the log is wrong"
    "$proflog" repair --force "$log" -o "$work/repaired.mlpd" 2>/dev/null || fail "repair"
    states_loss "$work/repaired.mlpd" "$lost" "File too large"
    "$proflog" convert -q --force "$log" -o "$work/converted.eventlog" 2>/dev/null || fail "convert"
    states_loss "$work/converted.eventlog" "$lost" "File too large"
    "$proflog" convert -q --force "$work/converted.eventlog" -o "$work/converted.mlpd" || fail "convert back"
    states_loss "$work/converted.mlpd" "$lost" "in time"
  fi

  begin "killed later: the spool states the loss, $options"
  filled $whole "$options,memory=1M"
  kill -9 "$pid"
  wait "$pid" 2>/dev/null || :
  running= watched=
  ! grep -q "^proflog" "$work/err" || fail "a line for a killed program"
  "$proflog" info --format json "$log" >"$work/json" 2>"$work/err2" || fail "info"
  lost=$(sed -n 's/^ *"lost_events": \([0-9]*\),$/\1/p' "$work/json")
  states_loss "$log" "$lost" "File too large"
  there=$(events)
  # The spool has the same limit.
  grep -q "; others may be missing, as it could not grow (File too large)\$" "$work/err2" \
    || [ $((there + lost)) = $((2 * whole)) ] || fail "$there in the log and $lost lost are not $((2 * whole))"
  [ "$lost" -gt 10000 ] || fail "only $lost events are lost"
done

begin "all that the log lacks is in the spool"
# On a busy machine the writer may be so late that more waits than fits into the spool, which has the same limit.
for attempt in 1 2 3 4 5; do
  filled $half format=1
  touch "$work/two"
  stop_host
  grep -q ' events are lost; ' "$work/err" || break
  echo "attempt $attempt: $(cat "$work/err")"
done
one_line "^proflog: log $log is incomplete: File too large after [0-9]* bytes; the rest is in $log.spool\$"
lost=0
adds_up
"$proflog" check "$log" >"$work/check" 2>/dev/null || fail "check: $(cat "$work/check")"
rm "$log.spool"
"$proflog" check "$log" >"$work/check" 2>/dev/null && fail "check"
grep -q "no end mark" "$work/check" || fail "check: $(cat "$work/check")"

# Each buffer is flushed, so that the compression can be ended after it.
for zip in zip zip=zstd; do
  begin "a compressed file is cut where it is whole, $zip"
  if [ $zip = zip=zstd ] && ! grep -q "^#define HAVE_ZSTD" config.h; then
    continue
  fi
  # Its end has room after it, wherever that is.
  for limit in $limits; do
    filled $whole "format=17,spool=none,$zip"
    touch "$work/two"
    stop_host
    case $zip in
      zip) gzip -t <"$log" || fail "it is not whole for gzip" ;;
      *) ! has zstd || zstd -tq <"$log" || fail "it is not whole for zstd" ;;
    esac
    incomplete "$log" "File too large"
    adds_up
    [ "$there" -gt 0 ] || fail "nothing is in the log"
    states_loss "$log" "$lost" "File too large"
    [ "$(stat -c %s "$log")" -gt 5000 ] || fail "the log has $(stat -c %s "$log") bytes"
  done

  begin "another output goes on behind a compressed file, $zip"
  command -v prlimit >/dev/null && [ "$(ulimit -H -f)" = unlimited ] || continue
  filled $half "$zip"
  prlimit --pid "$pid" --fsize=unlimited:
  ctl 0 output "$work/else.mlpd"
  touch "$work/two"
  until_printed two
  stop_host
  "$check_log" "$log" more="$work/else.mlpd" truth="$truth" same=alloc || fail "the logs are wrong"
  quiet
done

# on_full_disk FREE OPTIONS: the same on a disk that has so many bytes.  False where such a disk cannot be
# made without asking anybody.  What is on it at the end is in $work.
on_full_disk () {
  mkdir -p "$work/disk"
  # A compressed log has 150 kB or more then: twice the room beside the fewest slots of the spool, 128 KiB.
  each=$half
  case $2 in *zip*) each=$whole ;; esac
  sed -e "s/EACH/$each/" -e "$(in_eventlog "$2")" -e '/^await/d' "$work/fill" >"$work/full.scn"
  rm -f "$log" "$log.spool" "$work/status"
  unshare -rm sh -c "
    mount -t tmpfs -o size=4M none '$work/disk' || exit 1
    head -c $((4194304 - $1)) /dev/zero >'$work/disk/other'
    status=0
    '$host' --module '$module' --truth '$truth' \
      --profile='proflog:output=$work/disk/log.mlpd,nodefaults,alloc,exception,memory=1M,$2' \
      '$scenarios/world.scn' '$work/full.scn' '$scenarios/exit-7.scn' >'$work/out' 2>'$work/err' || status=\$?
    cp '$work/disk'/log.* '$work'
    echo \$status >'$work/status'
  " 2>/dev/null || return 1
  [ "$(cat "$work/status")" = 7 ] || fail "exit status $(cat "$work/status")"
}

for options in $formats format=17,zip; do
  for spool in "" ,spool=none; do
    # Wherever the disk ends, there is room for the end of the log.
    for bytes in $full; do
      begin "a full disk, $options$spool, $bytes bytes"
      case $options$spool in
        *zip) bytes=$((bytes - 400000)) ;;
        *zip,*) bytes=$((bytes - 540000)) ;;
      esac
      on_full_disk $bytes "$options$spool" || break 3
      incomplete "$work/disk/log.mlpd" "No space left on device"
      adds_up
      # Without a spool what ends a compressed log may find no room on a full disk: stderr has the loss.
      case $options$spool in *zip,*) continue ;; esac
      states_loss "$log" "$lost" "No space left on device"
      [ -n "$spool" ] || continue
      "$proflog" check "$log" >"$work/check" 2>/dev/null && fail "check"
      ! grep -q "no end mark" "$work/check" || fail "check: $(cat "$work/check")"
    done
  done
done
