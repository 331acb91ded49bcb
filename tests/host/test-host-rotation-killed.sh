#!/bin/sh
# A program that is killed while its log goes on in one file after the other: no event is lost.
. "${srcdir:-.}/tests/host/rotation-lib.sh"

# The spool follows a file once that is begun: killed between the two, a file stands for nothing.
forget_vain_files () {
  for file in "$work"/log.[0-9]*.mlpd; do
    [ "$file" = "$work/log.0001.mlpd" ] || [ -e "$file.spool" ] \
      || "$PWD/proflog" info "$file" 2>/dev/null | grep -q "Complete  *yes" || rm "$file"
  done
}

# The same where the spool lies elsewhere: one file is not complete, and it has the spool.
forget_last_vain_file () {
  open=
  for file in "$work"/log.[0-9]*.mlpd; do
    "$PWD/proflog" info "$file" 2>/dev/null | grep -q "Complete  *yes" || open="$open $file"
  done
  # shellcheck disable=SC2086
  set -- $open
  [ $# -le 1 ] || rm "$last"
}

# Two files of 1 MiB and more, and then threads that record until the end.
each=25000
[ "${SANITIZER:-no}" = no ] || each=8000
sed -e '/^shutdown/d' -e "s/repeat i 25000/repeat i $each/" "$scenarios/parallel.scn" >"$work/much.scn"
printf 'kill 9\nsleep 10000\n' >"$work/end.scn"
# Little memory: then most of it is written.  With a sanitizer each program takes long.
set -- alloc alloc,zip,memory=1M,patience=1min "alloc,spool=$work/spools"
kills=${PROFLOG_KILLS:-8}
test "${SANITIZER:-no}" = no || { set -- alloc; kills=3; }
for options; do
  begin "$options: killed"
  mkdir -p "$work/spools"
  rm -f "$work"/log.*
  host_run 137 "proflog:output=$log,rotate=1M,$options" "$scenarios/world.scn" \
    "$work/much.scn" "$scenarios/busy.scn" "$work/end.scn" 2>/dev/null
  last=$(ls "$work"/log.[0-9]*.mlpd | tail -n 1)
  if [ "$options" = "alloc,spool=$work/spools" ]; then
    forget_last_vain_file
  else
    forget_vain_files
  fi
  last=$(ls "$work"/log.[0-9]*.mlpd | tail -n 1)
  [ "$last" != "$work/log.0001.mlpd" ] || fail "there is one file: the test proves nothing"
  if [ "$options" = "alloc,spool=$work/spools" ]; then
    mv "$work/spools"/proflog-*.spool "$last.spool"
  fi
  [ "$(ls "$work"/log.*.spool)" = "$last.spool" ] || fail "the spool is not beside the last file"
  together same=alloc,monitor,exception_throw
done

# Wherever it is in the turn from one file to the next.
begin "killed many times"
i=0
while [ $i -lt "$kills" ]; do
  rm -f "$work"/log.* "$truth"
  echo "sleep $((i * 7))" >"$work/end.scn"
  echo "kill 9" >>"$work/end.scn"
  flush=
  [ $((i % 2)) = 0 ] || flush=,flush=1ms
  host_run 137 "proflog:output=$log,rotate=1M,alloc$flush" "$scenarios/world.scn" \
    "$scenarios/busy.scn" "$work/end.scn" 2>/dev/null
  forget_vain_files
  together same=alloc,monitor,exception_throw
  i=$((i + 1))
done
