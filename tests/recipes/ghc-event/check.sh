rm -f "$work/all.eventlog"
tests/eventlog/post-all "$work/all.eventlog" full >/dev/null
./proflog dump "$work/all.eventlog" >"$work/dump"
sees 'user-gauge .*gauge.[0-9].*value.[0-9]' "$work/dump"
./proflog show "$work/all.eventlog" >"$work/show"
sees 'gauge [0-9]* is [0-9]' "$work/show"
