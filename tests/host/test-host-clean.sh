#!/bin/sh
# proflog clean: crash buffers of killed programs go; those of programs that run, those beside their logs and other
# files stay.
. "${srcdir:-.}/tests/host/host-lib.sh"
. "${srcdir:-.}/tests/host/control-lib.sh"

# clean ARGUMENT...: what it prints is in out and err.
clean () {
  "$proflog" clean "$@" >"$work/out" 2>"$work/err2" || fail "clean ended with $?: $(cat "$work/err2")"
}

# has_removed FILES RUNNING [WOULD]
has_removed () {
  grep -qx "proflog clean: $1 files with [0-9]* bytes ${3-}removed; $2 belong to programs that run" "$work/err2" \
    || fail "$(cat "$work/err2")"
  [ "$(wc -l <"$work/out")" = "$1" ] || fail "$(cat "$work/out")"
}

spools () {
  find "$XDG_RUNTIME_DIR" "$work/own" -name '*.spool' | wc -l
}

mkdir "$work/own"
begin "a killed program's, in the runtime directory and in one of its own"
for spool in "" ",crash-buffer=$work/own"; do
  host_run 137 "proflog:output=|dd of=$work/piped.mlpd status=none,alloc$spool" "$scenarios/world.scn" "$scenarios/killed.scn" \
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
clean --dry-run
[ "$(grep -c "^$XDG_RUNTIME_DIR/proflog-[0-9]*.spool  [0-9]* bytes  process [0-9]*  last written 20" "$work/out")" = 1 ] \
  || fail "$(cat "$work/out")"
clean -n "$work/own"
has_removed 1 0 "would be "
clean "$work/own/"
has_removed 1 0
clean "$XDG_RUNTIME_DIR"
has_removed 1 1
kill -9 "$pid"
wait "$pid" 2>/dev/null || :
running= watched=
clean "$XDG_RUNTIME_DIR"
has_removed 1 0
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
  $as_user "$proflog" clean "$work/own" >"$work/out" 2>"$work/err2" || status=$?
  [ "$status" = 3 ] || fail "clean ended with $status"
  printf 'proflog clean: %s\n' "$kept: Permission denied" '0 files with 0 bytes removed; 0 belong to programs that run' \
    >"$work/wanted"
  same "$work/err2" "$work/wanted"
  [ -e "$kept" ] || fail "it is gone"
fi
[ -z "$as_user" ] || chown 0 "$kept"
chmod 755 "$work/own"
clean "$work/own"
has_removed 1 0

begin "one beside the file of its log is a part of that"
host_run 137 "proflog:output=$log,alloc" "$scenarios/world.scn" "$scenarios/killed.scn" 2>/dev/null
clean "$work"
has_removed 0 0
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
