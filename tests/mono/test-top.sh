#!/bin/sh
# `top NAME` of a running program: it opens on a table that has rows, an empty one says what fills it, and e
# makes the program record that.
. "${srcdir:-.}/tests/mono/lib.sh"
. "$sources/control-program.sh"
need tmux

# A name that no other program has.
name=top-test-$$
cp "$programs/control.exe" "$work/$name.exe"
begin_steps env "LD_LIBRARY_PATH=$module_dir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" \
  mono "--profile=proflog:alloc,arm=calls,format=17,output=$log" "$work/$name.exe"
step "count 100"

# Without a source it lists the programs.
"$proflog" top >"$work/reply" 2>&1
test $? = 2 || fail "top without a source"
grep -q "^ *$pid  .*$name.exe" "$work/reply" || { cat "$work/reply"; fail "the program is not listed"; }
"$proflog" follow "$name.exe" --start beginning --timeout 300ms >"$work/followed" 2>"$work/err" || fail "follow NAME"
grep -q ' alloc ' "$work/followed" || fail "follow by the name has no events"
# A file of this name that is a program is no log.
(cd "$work" && "$proflog" follow "$name.exe" --start beginning --timeout 300ms >followed 2>err) \
  || { cat "$work/err"; fail "follow NAME beside the program"; }
grep -q ' alloc ' "$work/followed" || fail "follow by the name has no events"

. "$tests/tmux-lib.sh"
trap 'close_terminal; kill -9 $pid 2>/dev/null; rm -rf "$work"' EXIT
open_terminal 100 30 "'$proflog' top --start beginning --interval 200ms $name; echo ended; exec sleep 60"
shows "[2 types]"
shows "Probe.Item"
press 1
shows "No calls and no samples were recorded yet."
shows "proflog run --sample, or --calls"
! page_has "Probe.Item" || fail "types among the methods"
press e
shows "calls is recorded now"
step "count 100"
shows "Probe"
! page_has "No calls and no samples" || fail "methods are there"
ctl 0 status
grep -q '^classes: .*calls' "$work/reply" || fail "calls are not recorded"
# The program is idle now: the rates of the last intervals are a flat line.
shows "▁▁▁"
press q
shows "ended"
end_steps
echo "$checks pages"
