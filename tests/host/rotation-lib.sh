# rotation-lib.sh -- what the tests of logs in several files share.  Sourced by each of them.
. "${srcdir:-.}/tests/host/host-lib.sh"

# rotated OPTIONS SCENARIO...: a run without trouble; its files are $work/log.0001.mlpd and so on.
rotated () {
  rm -f "$work"/log.*
  options=$1
  shift
  host_run 0 "proflog:output=$log,$options" "$scenarios/world.scn" "$@"
  module_was_loaded
  [ ! -e "$log" ] || fail "there is a file without a number"
}

# files N: there are at least this many, with numbers without a gap, and no spool.
files () {
  count=0
  for file in "$work"/log.[0-9]*.mlpd; do
    count=$((count + 1))
    [ "$file" = "$work/log.$(printf %04d $count).mlpd" ] || fail "$file is file $count"
    [ "$(stat -c %a "$file")" = 600 ] || fail "the mode of $file is $(stat -c %a "$file")"
  done
  [ "$count" -ge "$1" ] || fail "only $count files"
  set -- "$work"/log.*.spool
  [ ! -e "$1" ] || fail "a spool is left: $*"
}

# together EXPECTATION...: of all files.  Each is checked by itself for names, damage and its end.
together () {
  first=$work/log.0001.mlpd more=
  for file in "$work"/log.[0-9]*.mlpd; do
    [ "$file" = "$first" ] || more="$more more=$file"
  done
  # shellcheck disable=SC2086
  "$check_log" "$first" $more truth="$truth" "$@" || fail "the logs are wrong"
}
