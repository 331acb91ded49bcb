#!/bin/sh
# Programs that were linked with the libraries that tests/library/*.abi describe run with these; what such a program
# would notice is found.
. "${srcdir:-.}/tests/library/lib.sh"
need abidw abidiff
test "$(uname -m)" = x86_64 || { leave_out abi describes x86_64 alone; exit 77; }
readelf -S "$top_builddir/.libs/libproflog.so" | grep -q '\.debug_info' \
  || { leave_out abi needs debugging information; exit 77; }

"$source_top/scripts/check-abi" "$top_builddir" >out 2>err || fail "the libraries changed; see docs/library.md"
quiet err

# changed TEXT FILE PROGRAM: with the description FILE changed so by sed, the check fails and names the text.
changed ()
{
  rm -rf abi
  mkdir abi
  cp "$tests"/library/*.abi abi
  sed "$3" "$tests/library/$2" >"abi/$2"
  ! cmp -s "abi/$2" "$tests/library/$2" || fail "nothing is changed: $3"
  PROFLOG_ABI=$work/abi "$source_top/scripts/check-abi" "$top_builddir" >out 2>err && fail "not noticed: $3"
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
cp "$tests"/library/*.abi abi
sed -e "/<elf-symbol name='proflog_report_number'/d" \
  -e "/<function-decl name='proflog_report_number'/,/<.function-decl>/d" "$tests/library/libproflog.abi" >abi/libproflog.abi
PROFLOG_ABI=$work/abi "$source_top/scripts/check-abi" "$top_builddir" >out 2>err || fail "a new function is no difference"
says out "libproflog has new functions"
echo "$checks checks"
