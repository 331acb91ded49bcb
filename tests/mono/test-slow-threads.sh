#!/bin/sh
# Programs end, and collect, while the threads that samples need are known to the runtime only in part.
. "${srcdir:-.}/tests/mono/lib.sh"

need cc
compile hello
compile collect
cc -O2 -shared -fPIC -o "$work/slow-threads.so" "$sources/slow-threads.c" || fail "it does not compile"

for program in hello collect; do
  for options in sample sample-real; do
    LD_PRELOAD=$work/slow-threads.so LD_LIBRARY_PATH=$module_dir timeout -s KILL 60 \
      mono "--profile=proflog:$options,output=$work/log.mlpd" "$programs/$program.exe" >"$work/out"
    status=$?
    test "$status" = 0 || fail "$options: $program ends with $status"
    test "$(cat "$work/out")" = "$program" || fail "$options: $program prints otherwise"
    read_figures "$work/log.mlpd"
    rm "$work/log.mlpd"
  done
done
echo "$checks figures agree"
