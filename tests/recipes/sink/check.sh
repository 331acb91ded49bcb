test -x tests/host/proflog-host || { echo "not run: libffi is missing"; return; }
echo 'what the file had before' >"$work/appended"
record "output=append:$work/appended"
test "$(head -n 1 "$work/appended")" = 'what the file had before' || fail "the file was replaced"
tail -n +2 "$work/appended" >"$work/log"
./proflog info "$work/log" >"$work/info"
sees 'Complete  *yes' "$work/info"
