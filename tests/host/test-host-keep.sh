#!/bin/sh
# Files that are kept, and logs that are saved of them, with exact counts.
. "${srcdir:-.}/tests/host/host-lib.sh"
. "${srcdir:-.}/tests/host/control-lib.sh"

# allocations LOG...: how many the log has.
allocations () {
  "$proflog" check "$@" >"$work/checked" 2>&1 || { cat "$work/checked"; fail "$* is not whole"; }
  "$proflog" dump -q "$@" | grep -c ' alloc klass='
}

# work_twice EACH: two threads record so many allocations each, wait, and as many again.
work_twice () {
  cat <<END
image late /home/user/late.dll
class A late Late A
objects as A 0x7f0001000000 24 100000
parallel t 2
  repeat i $1
    fire gc_allocation as[1]
  end
end
print "once"
await $work/more
parallel t 2
  repeat i $1
    fire gc_allocation as[1]
  end
end
print "twice"
await $work/go
END
}

# More than a file of 1 MiB each time.
each=150000
[ "${SANITIZER:-no}" = no ] || each=80000

for form in "" ,zip ,zip=zstd; do
  case $form in *zstd) grep -q '^#define HAVE_ZSTD 1' config.h || continue ;; esac
  begin "saved of all files${form:+, $form}"
  rm -f "$work"/*.mlpd "$work/more"
  start_host "alloc,nogcmove,rotate=1M$form" "$(work_twice $each)"
  until_printed once
  ctl 0 save "$work/once.mlpd"
  touch "$work/more"
  until_printed twice
  ctl 0 save "$work/twice.mlpd"
  ctl 0 flush
  ctl 3 save "$work/twice.mlpd"
  stop_host
  quiet
  [ "$(allocations "$work/once.mlpd")" = $((2 * each)) ] || fail "once"
  [ "$(allocations "$work/twice.mlpd")" = $((4 * each)) ] || fail "twice"
  [ "$(allocations "$work"/log.[0-9]*.mlpd)" = $((4 * each)) ] || fail "the files themselves"
  case $form in
  "") cmp -s -n "$(($(stat -c %s "$work/once.mlpd") - 256))" "$work/once.mlpd" "$work/twice.mlpd" || fail "another beginning" ;;
  *zstd) has zstd && { zstd -tq "$work/twice.mlpd" || fail "zstd"; } ;;
  *) gzip -t "$work/twice.mlpd" || fail "gzip" ;;
  esac
done

# Four files and more, of which three stay.
begin "the newest files, and those of a time"
rm -f "$work"/*.mlpd "$work/more"
start_host "alloc,nogcmove,rotate=1M,keep=2" "$(work_twice 150000)"
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

begin "what cannot save"
rm -f "$work"/*.mlpd
(
  trap '' USR2
  host_run 7 "proflog:output=$log,save-on=signal,rotate=1M,keep=2" "$scenarios/exit-7.scn"
)
one_line "^proflog: save-on=signal: the program handles SIGUSR2, which saves nothing$"
host_run 7 "proflog:output=$log,save-on=signal,rotate=1M,keep=2,save-to=#5" "$scenarios/exit-7.scn"
one_line "^proflog: save-on: output '#5' is not a file; nothing is saved$"
