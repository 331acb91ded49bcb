#!/bin/sh
# proflog clean: crash buffers of killed programs are listed, and go on request; those of programs that run, those
# beside their logs and other files stay.
. "${srcdir:-.}/tests/host/host-lib.sh"
. "${srcdir:-.}/tests/host/control-lib.sh"

# clean ARGUMENT...: what it prints is in out and err.
clean () {
  "$proflog" clean "$@" >"$work/out" 2>"$work/err2" || fail "clean ended with $?: $(cat "$work/err2")"
}

# says LINE...: on stderr, in this order; SIZE is any size.
says () {
  printf 'proflog clean: %b\n' "$@" | sed 's/SIZE/[0-9.]* [kM]*B/' >"$work/wanted"
  [ "$(wc -l <"$work/err2")" = $# ] || fail "$(cat "$work/err2")"
  while read -r line <&3 && read -r wanted <&4; do
    expr "$line" : "$wanted\$" >/dev/null || fail "'$line' instead of '$wanted'"
  done 3<"$work/err2" 4<"$work/wanted"
}

# has_listed FILES
has_listed () {
  [ "$(wc -l <"$work/out")" = "$1" ] || fail "$(cat "$work/out")"
}

spools () {
  find "$XDG_RUNTIME_DIR" "$work/own" -name '*.spool' | wc -l
}

mkdir "$work/own"
begin "a killed program's, in the runtime directory and in one of its own"
for spool in "" ",crash-buffer=$work/own"; do
  host_run 137 "proflog:output=|dd of=$work/piped.mlpd status=none,format=17,alloc$spool" "$scenarios/world.scn" "$scenarios/killed.scn" \
    2>/dev/null
done
[ "$(spools)" = 2 ] || fail "$(spools) spools are left"
echo no >"$XDG_RUNTIME_DIR/proflog-1.spool"
touch "$XDG_RUNTIME_DIR/other.spool"
ln -s /etc/passwd "$XDG_RUNTIME_DIR/proflog-2.spool"
start_host "alloc,output=|dd of=$work/second.mlpd status=none" 'print ready
await /nowhere'
until_printed ready
# Without a directory those of the user are searched, of which others may have something.
clean
[ "$(grep -c "^$XDG_RUNTIME_DIR/proflog-[0-9]*.spool  [0-9.]* [kM]B  [0-9.]* [a-z ]*s old  process [0-9]*  .*output=|dd of=$work/piped" "$work/out")" = 1 ] \
  || fail "$(cat "$work/out")"
clean "$work/own"
has_listed 1
says '1 files with SIZE; 0 belong to programs that run' \
  "to remove them, all younger than a day: proflog clean --delete --all $work/own"
[ "$(spools)" -ge 3 ] || fail "a list has removed files"

begin "those younger than a day stay"
clean --delete "$work/own/"
has_listed 0
says '0 files with 0 bytes removed; 1 younger than a day left: --all removes these, too; 0 belong to programs that run'
cp "$work"/own/proflog-*.spool "$work/own/proflog-999999999.spool"
touch -d '23 hours ago' "$work"/own/*.spool
touch -d '25 hours ago' "$work/own/proflog-999999999.spool"
clean "$work/own"
has_listed 2
grep -q '^.*/proflog-999999999.spool  [^ ]* [kM]B  25 h 0 min old  process 999999999  ' "$work/out" || fail "$(cat "$work/out")"
says '2 files with SIZE; 0 belong to programs that run' \
  "to remove those that are at least a day old: proflog clean --delete $work/own" \
  "to remove all: proflog clean --delete --all $work/own"
clean --delete "$work/own"
has_listed 1
says '1 files with SIZE removed; 1 younger than a day left: --all removes these, too; 0 belong to programs that run'
[ ! -e "$work/own/proflog-999999999.spool" ] || fail "the old one is there"
touch -d '25 hours ago' "$work"/own/*.spool
clean "$work/own"
says '1 files with SIZE; 0 belong to programs that run' "to remove them: proflog clean --delete $work/own"
touch "$work"/own/*.spool
clean --delete --all "$work/own"
has_listed 1
says '1 files with SIZE removed; 0 belong to programs that run'
clean --delete --all "$XDG_RUNTIME_DIR"
has_listed 1
says '1 files with SIZE removed; 1 belong to programs that run'
kill -9 "$pid"
wait "$pid" 2>/dev/null || :
running= watched=
clean --delete --all "$XDG_RUNTIME_DIR"
has_listed 1
[ "$(cat "$XDG_RUNTIME_DIR/proflog-1.spool")" = no ] && [ -e "$XDG_RUNTIME_DIR/other.spool" ] \
  && [ -L "$XDG_RUNTIME_DIR/proflog-2.spool" ] || fail "other files are gone"

begin "one that may not be removed"
host_run 137 "proflog:output=|dd of=$work/piped.mlpd status=none,alloc,crash-buffer=$work/own" "$scenarios/world.scn" \
  "$scenarios/killed.scn" 2>/dev/null
kept=$(echo "$work"/own/*.spool)
as_user=
if [ "$(id -u)" = 0 ]; then
  # With gcov, its counts cannot be written where those of root are.
  mkdir -m 777 "$work/counts"
  as_user="setpriv --reuid 65534 --regid 65534 --clear-groups env GCOV_PREFIX=$work/counts"
fi
chmod 755 "$work"
chmod 555 "$work/own"
[ -z "$as_user" ] || chown 65534 "$kept" # only a user's own are removed
if [ "$(id -u)" != 0 ] || { has setpriv && $as_user test -r "$kept" -a -x "$proflog"; }; then
  status=0
  $as_user "$proflog" clean --delete --all "$work/own" >"$work/out" 2>"$work/err2" || status=$?
  [ "$status" = 3 ] || fail "clean ended with $status"
  printf 'proflog clean: %s\n' "$kept: Permission denied" '0 files with 0 bytes removed; 0 belong to programs that run' \
    >"$work/wanted"
  same "$work/err2" "$work/wanted"
  [ -e "$kept" ] || fail "it is gone"
fi
[ -z "$as_user" ] || chown 0 "$kept"
chmod 755 "$work/own"
clean --delete --all "$work/own"
has_listed 1

begin "one beside the file of its log is a part of that"
host_run 137 "proflog:output=$log,alloc" "$scenarios/world.scn" "$scenarios/killed.scn" 2>/dev/null
clean --delete --all "$work"
has_listed 0
[ -e "$log.spool" ] || fail "the spool of the log is gone"

begin "ctl removes those that are 30 days old"
host_run 137 "proflog:output=|dd of=$work/piped.mlpd status=none,alloc" "$scenarios/world.scn" "$scenarios/killed.scn" 2>/dev/null
touch -d '29 days ago' "$XDG_RUNTIME_DIR"/proflog-[0-9][0-9]*.spool
"$proflog" ctl >/dev/null 2>&1 || :
[ "$(find "$XDG_RUNTIME_DIR" -name 'proflog-*.spool' -size +1k | wc -l)" = 1 ] || fail "one of 29 days is gone"
touch -d '31 days ago' "$XDG_RUNTIME_DIR"/proflog-[0-9][0-9]*.spool
"$proflog" ctl >/dev/null 2>&1 || :
[ "$(find "$XDG_RUNTIME_DIR" -name 'proflog-*.spool' -size +1k | wc -l)" = 0 ] || fail "one of 31 days is there"

begin "wrong arguments"
! "$proflog" clean "$work/none" >/dev/null 2>"$work/err2" && grep -q 'none: no directory' "$work/err2" || fail "$(cat "$work/err2")"
! "$proflog" clean a b >/dev/null 2>"$work/err2" && grep -q "'b': there is one directory at most" "$work/err2" \
  || fail "$(cat "$work/err2")"
! "$proflog" clean --all "$work/own" >/dev/null 2>"$work/err2" && grep -q -e '--all is of use with --delete only' "$work/err2" \
  || fail "$(cat "$work/err2")"
