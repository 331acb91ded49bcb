#!/bin/sh
# Logs that Mono writes are valid: of concurrent collections, which begin on one thread and end on another, and of
# threads of native code that call managed methods; those of the module and of Mono's own profiler.
. "${srcdir:-.}/tests/mono/lib.sh"
need cc

compile collectors
cc -O2 -shared -fPIC -o "$work/libcallers.so" "$sources/callers.c" -lpthread || fail "the library does not compile"
LD_LIBRARY_PATH=$work:$module_dir
MONO_GC_PARAMS=major=marksweep-conc,nursery-size=1m
export LD_LIBRARY_PATH MONO_GC_PARAMS

# run PROFILE ARGUMENT...: the log of the program is good and valid.
run ()
{
  profile=$1
  shift
  rm -f "$log"
  mono "--profile=$profile,output=$log" "$programs/collectors.exe" "$@" >"$truth" 2>"$work/stderr" \
    || fail "$profile: the program failed: $(cat "$work/stderr")"
  "$proflog" validate "$log" >"$work/verdicts" 2>&1 || fail "$profile: $(cat "$work/verdicts")"
  "$proflog" check "$log" >"$work/found" 2>&1 || fail "$profile: $(cat "$work/found")"
  checks=$((checks + 2))
}

# The threads of both events of each old collection; those that differ.
count_ends_elsewhere ()
{
  "$proflog" dump --order time "$log" 2>/dev/null | awk '
    /gc-event event=start generation=1/ { thread = $4 }
    /gc-event event=end generation=1/ { n += thread != $4; all++ }
    END { print n + 0, all + 0 }'
}

elsewhere=0
for profile in proflog:gc proflog:gc,calls proflog:gc,alloc log:gc log:gc,alloc; do
  run "$profile" 3
  set -- $(count_ends_elsewhere)
  elsewhere=$((elsewhere + $1))
  test "$2" -gt 0 || fail "$profile: there are no old collections"
  young=$("$proflog" query -q --format csv "$log" \
    'SELECT collections FROM gc_generations WHERE generation = 0' 2>&1 | tail -n 1)
  test "$young" = "$(printed collections:0)" || fail "$profile: $young collections, not $(printed collections:0)"
done
test "$elsewhere" -gt 0 || fail "no collection ended on another thread"

# Mono's own profiler ends in an assertion when threads of native code call, with calls.
for profile in proflog:gc proflog:calls proflog:calls,alloc log:exception; do
  run "$profile" 1 native
done
echo "$checks checks, $elsewhere collections that ended on another thread"
