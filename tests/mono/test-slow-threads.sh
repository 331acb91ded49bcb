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

# The runtime's thread for samples is still about to detach when the runtime frees its objects.  Most programs
# end later than that thread; one that ends in a finalizer does not.
compile ends
cc -O2 -shared -fPIC -o "$work/slow-sampler.so" "$sources/slow-sampler.c" || fail "it does not compile"
for options in sample sample-real; do
  LD_PRELOAD=$work/slow-sampler.so LD_LIBRARY_PATH=$module_dir timeout -s KILL 60 \
    mono "--profile=proflog:$options,output=$work/log.mlpd" "$programs/ends.exe" exit-finalizer >"$work/out" 2>&1
  status=$?
  test "$status" = 9 || fail "$options: a program that ends in a finalizer ends with $status"
  test "$(cat "$work/out")" = "objects:Probe.Last 1234" || fail "$options: it prints otherwise"
  read_figures "$work/log.mlpd"
  rm "$work/log.mlpd"
done
echo "$checks figures agree"
