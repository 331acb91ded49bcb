#!/bin/sh
# What a program that was linked with an earlier build of the libraries would notice is found, by descriptions of these
# that were changed; nothing is found of those that were not.
. "${srcdir:-.}/tests/library/lib.sh"
need abidw abidiff
test "$(uname -m)" = x86_64 || { leave_out abi describes x86_64 alone; exit 77; }
readelf -S "$top_builddir/.libs/libproflog.so" | grep -q '\.debug_info' \
  || { leave_out abi needs debugging information; exit 77; }

mkdir now
"$source_top/scripts/check-abi" --write now "$top_builddir" || fail "no descriptions"
"$source_top/scripts/check-abi" now "$top_builddir" >out 2>err || fail "the libraries differ from themselves"
quiet err

# changed TEXT FILE PROGRAM: with the description FILE changed so by sed, the check fails and names the text.
changed ()
{
  rm -rf abi
  mkdir abi
  cp now/*.abi abi
  sed "$3" "now/$2" >"abi/$2"
  ! cmp -s "abi/$2" "now/$2" || fail "nothing is changed: $3"
  "$source_top/scripts/check-abi" abi "$top_builddir" >out 2>err && fail "not noticed: $3"
  says out "$1"
}
changed proflog_log_gone libproflog.abi s/proflog_log_cap/proflog_log_gone/g
changed 'size changed' libproflog.abi "/name='mlpd_damage' size-in-bits/s/size-in-bits='[0-9]*'/size-in-bits='320'/"
changed mlpd_kind libproflog.abi "/<enumerator name='MLPD_ALLOC'/s/value='[0-9]*'/value='77'/"
changed eventlog_writer_new libproflog-eventlog.abi \
  "/<function-decl name='eventlog_writer_new'/,/<parameter/s/<parameter type-id='[^']*'/<parameter type-id='type-id-1'/"
changed PROFLOG_GHC_9 libproflog-ghc.abi s/PROFLOG_GHC_0/PROFLOG_GHC_9/g

# A function that is only new is no difference.
rm -rf abi
mkdir abi
cp now/*.abi abi
sed -e "/<elf-symbol name='proflog_report_number'/d" \
  -e "/<function-decl name='proflog_report_number'/,/<.function-decl>/d" now/libproflog.abi >abi/libproflog.abi
"$source_top/scripts/check-abi" abi "$top_builddir" >out 2>err || fail "a new function is no difference"
says out "libproflog has new functions"
echo "$checks checks"
