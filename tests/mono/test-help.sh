#!/bin/sh
# help prints and ends the program before it starts; wrong options do not harm it.
. "${srcdir:-.}/tests/mono/lib.sh"

compile hello
profiled help hello >"$work/out" 2>"$work/err"
status=$?
test "$status" = 0 || fail "help ended with $status"
grep -q hello "$work/out" && fail "help ran the program"
test ! -s "$work/err" || fail "help prints on standard error"
for option in heapshot maxframes callspec output '\[no\]alloc'; do
  grep -q -e "^ *$option" "$work/out" || fail "help does not list $option"
done
# Without a program, too.
LD_LIBRARY_PATH=$module_dir mono --profile=proflog:help >"$work/out2" 2>&1
# Mono itself requests a program before it loads modules.
grep -q -e heapshot -e 'Usage is' "$work/out2" || fail "help without a program prints nothing"
echo "help is printed"
