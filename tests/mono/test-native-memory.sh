#!/bin/sh
# Native memory that is not freed is named by the managed method that called the library, within the sampling error;
# what is freed in any way is none of it; and the program does not notice.  PROFLOG_NATIVE_RUNS is the number of runs.
. "${srcdir:-.}/tests/mono/lib.sh"
need cc
compile native-leak
runs=${PROFLOG_NATIVE_RUNS:-3}
cd "$work" || exit 1
ulimit -c 0
case $(uname -m) in
  x86_64 | aarch64) ;;
  *) leave_out MACHINE 'native is of x86-64 and aarch64 programs'; exit 77 ;;
esac

# build LIBRARY FLAG...
build ()
{
  mkdir -p "$work/$1"
  library=$1
  shift
  cc -O2 -shared -fPIC "$@" -o "$work/$library/libleak.so" "$sources/native-leak.c" -lpthread || fail "$library does not compile"
}

# leaks LIBRARY OPTIONS ARGUMENT...
leaks ()
{
  library=$1 options=$2
  shift 2
  rm -f "$log" "$log.spool"
  LD_LIBRARY_PATH=$work/$library:$module_dir timeout 120 mono "--profile=proflog:$options,output=$log" "$programs/native-leak.exe" "$@"
}

plain ()
{
  LD_LIBRARY_PATH=$work/lazy timeout 120 mono "$programs/native-leak.exe" "$@"
}

build lazy -Wl,-z,lazy
build now -Wl,-z,now -Wl,-z,relro
build entries -fno-plt
build other -Wl,-z,now -Wl,-z,relro

# expect_leak: what the program kept is within some four standard deviations (the interval has 1.96 on each side).
expect_leak ()
{
  kept=$(printed kept)
  method='native.methods[Shop.Image:Load (int,int)]'
  live=$(figure "$method.live_bytes") low=$(figure "$method.live_low_bytes") high=$(figure "$method.live_high_bytes")
  if test "$live" = 0 || test $((kept - live)) -ge $((high - low)) || test $((live - kept)) -ge $((high - low)); then
    fail "$1: $live bytes ($low to $high) are not freed below Image.Load, $kept were kept"
  fi
  drawn=$(figure 'native.methods[Shop.Program:Draw (int,int)].live_bytes')
  test "$drawn" -lt 2000000 || fail "$1: $drawn bytes are not freed below Draw"
  test "$(figure 'native.methods[Shop.Program:Draw (int,int)].samples')" -gt 20 || fail "$1: nothing was allocated below Draw"
  checks=$((checks + 3))
}

run=0
while test "$run" -lt "$runs"; do
  for library in lazy now entries; do
    leaks "$library" native,sample load 30 >"$truth" 2>"$work/stderr" || { cat "$work/stderr"; fail "$library: status $?"; }
    read_figures
    expect_leak "$library"
  done
  run=$((run + 1))
done
"$proflog" report --reports=native "$log" >"$work/printed" || fail report
tr -s ' \n' '  ' <"$work/printed" >"$work/line"
grep -q ' MB \((± [0-9]* %) \)\{0,1\}of [0-9.]* MB that native code allocated below Shop.Image:Load are not freed' "$work/line" \
  || { cat "$work/printed"; fail 'no sentence'; }
"$proflog" report --reports=native --traces "$log" >"$work/printed" || fail 'report --traces'
says "$work/printed" 'Shop.Program:Main (string[])'

# By itself, and in an eventlog not at all.
leaks now native load 30 >"$truth" || fail 'native alone'
read_figures
expect_leak 'native alone'
leaks now native,format=1 load 1 >"$truth" 2>"$work/err"
says "$work/err" 'format=1 cannot record native; use format=17 or auto'

# In other threads, in handlers of signals, in children, after a library is unloaded; texts that the runtime frees.
plain balance "$work/other/libleak.so" >"$work/plain.out" 2>"$work/plain.err" || fail 'the program alone'
for options in native native,sample,alloc native,sample-real; do
  leaks now "$options" balance "$work/other/libleak.so" >"$truth" 2>"$work/err" || { cat "$work/err"; fail "$options: status $?"; }
  cmp "$work/plain.out" "$truth" || fail "$options: another output"
  diff "$work/plain.err" "$work/err" || fail "$options: other messages"
  read_figures
  live=$(figure native.live_bytes)
  test "$live" -lt 3000000 || { grep '^native' "$figures"; fail "$options: $live bytes are not freed"; }
  test "$(figure native.samples)" -gt 100 || fail "$options: too few samples"
done

# Each end is the program's own.
for end in 0 1 2 3; do
  plain end $end >"$work/plain.out" 2>/dev/null
  status=$?
  leaks now native,sample end $end >"$work/out" 2>/dev/null
  test $? = $status || fail "end $end: another status than $status"
  cmp "$work/plain.out" "$work/out" || fail "end $end: another output"
  "$proflog" report "$log" >"$work/printed" 2>&1 || fail "end $end: the log cannot be read"
done

# Others read the log.
leaks now native,sample load 5 >"$truth" || fail 'the last'
if has mprof-report; then
  timeout 60 mprof-report "$log" >"$judged" 2>&1 || fail mprof-report
fi
"$proflog" anonymize -q --force -o "$work/hidden.mlpd" "$log" || fail anonymize
"$proflog" report --format json "$work/hidden.mlpd" | "$json_paths" >"$work/hidden" || fail 'the anonymous log'
"$proflog" report --format json "$log" | "$json_paths" >"$figures"
test "$(figure native.live_bytes "$work/hidden")" = "$(figure native.live_bytes)" || fail 'anonymize changes native memory'
echo "$checks checks"
