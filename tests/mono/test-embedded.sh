#!/bin/sh
# A C program that embeds Mono (libmonosgen-2.0), loads the module itself, and ends in several ways.
. "${srcdir:-.}/tests/mono/lib.sh"

need pkg-config cc
need_library monosgen-2
compile alloc
# shellcheck disable=SC2046
cc -o "$work/embedder" "$sources/embedder.c" $(pkg-config --cflags --libs monosgen-2) \
  || fail "the embedder does not compile"

for options in alloc alloc,format=17; do
  for end in cleanup return exit _exit; do
    rm -f "$log" "$log.spool"
    LD_LIBRARY_PATH=$module_dir "$work/embedder" "$options,output=$log" "$exe" "$end" 2 500 \
      >"$work/printed" 2>"$work/stderr" || fail "$end: it ended with $?"
    test ! -s "$work/stderr" || fail "$end: complaints"
    grep -qx 'domains 2' "$work/printed" || { cat "$work/printed"; fail "$end: not two domains"; }
    # Each domain has counters of its own.
    awk '/:/ { sum[$1] += $2 } END { for (key in sum) print key, sum[key] }' "$work/printed" >"$truth"
    # Threads record into the spool until the system has ended them: without a cleanup it may stay.
    test "$end" != _exit || test -f "$log.spool" || fail "$end: no spool is left"
    if test "$end" != cleanup && test -f "$log.spool"; then
      "$proflog" repair "$log" -o "$work/whole" 2>"$work/err" || { cat "$work/err"; fail "not repaired"; }
      rm "$log.spool"
      mv "$work/whole" "$log"
    else
      test ! -e "$log.spool" || fail "$end: a spool is left"
    fi
    read_figures
    expect_truth
    expect_names
  done
done
# Samples have their callers there, too: of a program that works, nearly all.
compile burn
rm -f "$log" "$log.spool"
LD_LIBRARY_PATH=$module_dir "$work/embedder" "sample=500,format=17,output=$log" "$exe" return 1 \
  >"$work/printed" 2>"$work/stderr" || fail "it ended with $?"
test ! -s "$work/stderr" || { cat "$work/stderr"; fail "complaints about samples"; }
read_figures
whole=$(figure cpu.whole_stacks) hits=$(figure cpu.hits)
test "$hits" -gt 20 && test "$whole" -ge $((hits * 9 / 10)) || fail "$whole of $hits samples have callers"
echo "$checks figures agree"
