#!/bin/sh
# Files that are kept, and logs that are saved of them, with exact counts.
. "${srcdir:-.}/tests/host/host-lib.sh"
. "${srcdir:-.}/tests/host/control-lib.sh"

# allocations LOG...: how many the log has.
allocations () {
  "$proflog" check "$@" >"$work/checked" 2>&1 || { cat "$work/checked"; fail "$* is not whole"; }
  "$proflog" dump -q "$@" | grep -c ' alloc klass='
}

# Two threads record 300,000 allocations, wait, and as many again.
work_twice="image late /home/user/late.dll
class A late Late A
objects as A 0x7f0001000000 24 100000
parallel t 2
  repeat i 150000
    fire gc_allocation as[1]
  end
end
print \"once\"
await $work/more
parallel t 2
  repeat i 150000
    fire gc_allocation as[1]
  end
end
print \"twice\"
await $work/go"

for form in "" ,zip ,zip=zstd; do
  case $form in *zstd) grep -q '^#define HAVE_ZSTD 1' config.h || continue ;; esac
  begin "saved of all files${form:+, $form}"
  rm -f "$work"/*.mlpd "$work/more"
  start_host "alloc,nogcmove,rotate=1M$form" "$work_twice"
  until_printed once
  ctl 0 save "$work/once.mlpd"
  touch "$work/more"
  until_printed twice
  ctl 0 save "$work/twice.mlpd"
  ctl 0 flush
  ctl 3 save "$work/twice.mlpd"
  stop_host
  quiet
  [ "$(allocations "$work/once.mlpd")" = 300000 ] || fail "once"
  [ "$(allocations "$work/twice.mlpd")" = 600000 ] || fail "twice"
  [ "$(allocations "$work"/log.[0-9]*.mlpd)" = 600000 ] || fail "the files themselves"
  case $form in
  "") cmp -s -n "$(($(stat -c %s "$work/once.mlpd") - 48))" "$work/once.mlpd" "$work/twice.mlpd" || fail "another beginning" ;;
  *zstd) has zstd && { zstd -tq "$work/twice.mlpd" || fail "zstd"; } ;;
  *) gzip -t "$work/twice.mlpd" || fail "gzip" ;;
  esac
done

begin "the newest files, and those of a time"
rm -f "$work"/*.mlpd "$work/more"
start_host "alloc,nogcmove,rotate=1M,keep=2" "$work_twice"
touch "$work/more"
until_printed twice
ctl 0 flush
status_has "kept files: 3"
ctl 0 save "$work/kept.mlpd"
ctl 0 save --last 1ms "$work/last.mlpd"
stop_host
quiet
set -- "$work"/log.[0-9]*.mlpd
[ $# = 3 ] || fail "there are $*"
[ "$(allocations "$work/kept.mlpd")" = "$(allocations "$@")" ] || fail "another number of allocations"
[ "$(allocations "$work/last.mlpd")" = "$(allocations "$3")" ] || fail "another number in the last file"

begin "an exception"
rm -f "$work"/*.mlpd
start_host "alloc,save-on=exception:Exception,save-every=0ms" \
  "repeat i 100
  fire gc_allocation nodes[\$i]
end
fire exception_throw exceptions[0]
print \"thrown\"
await $work/go"
until_printed thrown
wait_for test -e "$work/log.saved.0001.mlpd"
stop_host
quiet
[ "$(allocations "$work/log.saved.0001.mlpd")" = 100 ] || fail "another number of allocations"
