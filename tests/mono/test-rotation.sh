#!/bin/sh
# A log in several files: each can be read by itself, and together they hold what the program counted.
# PROFLOG_KILLS is how often it is killed while it goes from file to file.
. "${srcdir:-.}/tests/mono/lib.sh"

kills=${PROFLOG_KILLS:-4}

# A file that was begun and to which the log did not come before the program was killed.
is_vain ()
{
  test ! -e "$1.spool" && test "$1" != "$work/log.0001.mlpd" \
    && ! "$proflog" info "$1" 2>/dev/null | grep -q 'Complete  *yes'
}

# read_files: the figures of all files, one after the other; they add up.
read_files ()
{
  : >"$work/all"
  number=0
  for file in "$work"/log.[0-9]*.mlpd; do
    number=$((number + 1))
    test "$file" = "$work/log.$(printf %04d $number).mlpd" || fail "$file is file $number"
    if is_vain "$file"; then
      rm "$file"
      continue
    fi
    "$top_builddir/tests/host/check-log" "$file" || fail "$file is not in order"
    "$proflog" report --format json "$file" >"$work/report.json" 2>"$work/report.err" \
      || { cat "$work/report.err"; fail "$file: proflog report failed"; }
    "$json_paths" <"$work/report.json" >"$figures" || fail "$file: the report is not JSON"
    expect damage.truncated false
    expect damage.skipped_bytes 0
    expect_names
    cat "$figures" >>"$work/all"
  done
  mv "$work/all" "$figures"
}

# rotated LEAST OPTIONS PROGRAM [ARGUMENT...]: there are at least this many files.
rotated ()
{
  least=$1 options=$2
  shift 2
  compile "$1"
  rm -f "$work"/log.*
  profiled "$options,output=$log" "$@" >"$truth" 2>"$work/stderr" \
    || fail "$1 ended with $?"
  quiet "$work/stderr"
  read_files
  test "$number" -ge "$least" || fail "$options: only $number files"
  test -z "$(find "$work" -name '*.spool')" || fail "$options: a spool is left"
}

rotated 4 alloc,rotate=1M alloc 4 40000
expect_truth
images=$(figure metadata.images) methods=$(figure metadata.methods)
rotated 1 alloc,rotate=1G alloc 4 40000
expect metadata.images "$images"
expect metadata.methods "$methods"
rotated 4 alloc,rotate=1M,format=17 alloc 4 40000
expect_truth
rotated 2 alloc,rotate=1M,zip alloc 4 120000
expect_truth
if grep -q '^#define HAVE_ZSTD 1' "$top_builddir/config.h"; then
  rotated 2 alloc,rotate=1M,zip=zstd alloc 4 240000
  expect_truth
fi
rotated 2 alloc,rotate=1s,rotate=1M,maxframes=0 alloc 2 200000
expect_truth
rotated 1 alloc,heapshot,rotate=1M heapshot
for file in "$work"/log.[0-9]*.mlpd; do
  "$proflog" check "$file" >"$work/out" || { cat "$work/out"; fail "$file is not good"; }
done

# The program goes elsewhere.
compile directory
rm -f "$work"/log.*
mkdir "$work/elsewhere" "$work/100%p"
(cd "$work/100%p" && profiled alloc,rotate=1M,output=log.mlpd directory "$work/elsewhere" 300000) \
  >"$truth" || fail "directory ended with $?"
test -z "$(ls "$work/elsewhere")" || fail "a file came there"
mv "$work/100%p"/log.* "$work"
test -f "$work/log.0002.mlpd" || fail "there is one file"
read_files
expect_truth

# What lives is announced again in the second file, and does not count there as new.
compile alloc
rm -f "$work"/log.*
profiled "format=17,gcroot,alloc,maxframes=0,rotate=1M,output=$log" alloc 2 200000 >"$truth" \
  || fail "alloc ended with $?"
file=$work/log.0002.mlpd
"$top_builddir/tests/host/check-log" "$file" || fail "$file is not in order"
# 0x6e69616761: "again".
"$proflog" dump "$file" | awk '
  $4 == "buffer" { where = /obj_base=0x6e69616761 / ? "again" : "new" }
  $4 ~ /^(metadata-(domain|context|thread)|heap-root-register)$/ { n[where " " $4 " " ($4 ~ /^meta/ ? $5 : "")]++ }
  END { for (key in n) print key, n[key] }' >"$work/said"
said ()
{
  awk -v key="$1" '{ value = $NF; sub (/ *[^ ]*$/, ""); if ($0 == key) n = value } END { print n + 0 }' "$work/said"
}
test "$(said 'again metadata-domain action=load')" = 1 || fail "the domain is not announced again"
test "$(said 'again metadata-domain action=name')" = 1 || fail "the domain's name is not announced again"
test "$(said 'again metadata-context action=load')" = 1 || fail "the context is not announced again"
test "$(said 'again metadata-thread action=load')" -ge 2 || fail "threads are not announced again"
test "$(said 'again metadata-thread action=name')" -ge 2 || fail "names of threads are not announced again"
test "$(said 'again heap-root-register')" -ge 20 || fail "roots are not announced again"
registered=$("$proflog" report --format json "$file" | "$json_paths" \
  | awk -F '\t' '$1 ~ /^gc\.roots\[[0-9]*\]\.registered$/ { n += $2 } END { print n + 0 }')
test "$registered" = "$(said 'new heap-root-register')" || fail "$registered roots are reported as registered"

# Counters change by differences.  Each file that follows another describes them and begins with what they
# had come to; the last one has what the program counted.
compile counters
rm -f "$work"/log.*
profiled "counter,rotate=1s,output=$log" counters 9 >"$truth" || fail "counters ended with $?"
counter='counters[Minor GC collections]' number=0 before=0
for file in "$work"/log.[0-9]*.mlpd; do
  number=$((number + 1))
  "$top_builddir/tests/host/check-log" "$file" || fail "$file is not in order"
  "$proflog" report --format json "$file" | "$json_paths" >"$figures"
  # The first one may end before they were read for the first time.
  if test "$number" -gt 2 || grep -qF "$counter.name" "$figures"; then
    expect "$counter.name" "Minor GC collections"
    test "$before" = 0 || expect "$counter.min" "$before"
    before=$(figure "$counter.last")
  fi
done
test "$number" -ge 3 || fail "only $number files with counters"
expect "$counter.last" "$(printed minor)"
test "$before" -gt 3 || fail "there were hardly any collections"

# Killed.
compile killed
counts=$work/counts
kill_number=0
while test "$kill_number" -lt "$kills"; do
  rm -f "$work"/log.*
  head -c 4096 /dev/zero >"$counts"
  flush=
  test $((kill_number % 2)) = 0 || flush=,flush=1ms
  LD_LIBRARY_PATH=$module_dir mono "--profile=proflog:alloc,rotate=1M,output=$log$flush" \
    "$programs/killed.exe" "$counts" busy >/dev/null 2>&1 &
  pid=$!
  # However busy the machine is, there is more than one file.
  wait_for test -e "$work/log.0002.mlpd"
  sleep "$(printf '0.%03d' $(($(od -An -N2 -tu2 /dev/urandom) % 600)))"
  kill -9 $pid
  wait $pid 2>/dev/null
  kill_number=$((kill_number + 1))
  read_files
  test "$number" -ge 2 || fail "there is one file"
  for type in 1:First 2:Second 3:Third; do
    truth_count=$(counted "${type%:*}")
    objects=$(figure "allocations.types[Killed.${type#*:}].objects")
    test "$objects" -ge "$truth_count" && test "$objects" -le $((truth_count + 1)) \
      || fail "$objects of Killed.${type#*:} in $number files, $truth_count were counted"
    checks=$((checks + 1))
  done
done
echo "$checks figures agree"
