#!/bin/sh
# A C program that opens a runtime of either collector with RTLD_LOCAL: the module finds its functions, loaded at
# the start or by `proflog attach`.  What cannot be loaded is one line on stderr.  `proflog doctor` knows before.
. "${srcdir:-.}/tests/mono/lib.sh"

need cc
cc -o "$work/local-host" "$sources/local-host.c" -ldl || fail "the host does not compile"
use_runtime_dir
compile alloc
alloc=$exe
compile attached
attached=$exe

# host LIBRARY OPTIONS ASSEMBLY [ARGUMENT...]: runs the host; what it prints is in $truth.
host ()
{
  LD_LIBRARY_PATH=$module_dir "$work/local-host" "$@" >"$truth" 2>"$work/stderr"
  status=$?
  # mono-boehm waits for a thread of its own at its end, and prints that without an end of line.
  sed -i 's/Waiting on threads to park on joinable thread list timed out\.//; /^$/d' "$work/stderr"
  test "$status" = 0 || fail "the host ended with $status"
}

libraries=
for library in libmonosgen-2.0.so.1 libmonoboehm-2.0.so.1; do
  case="$library"
  echo "case: $case"
  if ! "$work/local-host" "$library" "" "$alloc" 1 1 >/dev/null 2>&1; then
    leave_out "$library" is not installed
    continue
  fi
  libraries=$libraries.
  for options in alloc alloc,format=17; do
    rm -f "$log"
    host "$library" "$options,output=$log" "$alloc" 2 500
    test ! -s "$work/stderr" || fail "complaints"
    read_figures
    expect_truth
    expect_names
  done
  # It has loaded the module late, and is recorded from then on.
  test "$(uname -m)" = x86_64 || continue
  rm -f "$log" "$work/printed" # what the one before printed is no answer of this one
  mkfifo "$work/input"
  "$work/local-host" "$library" "" "$attached" spin throw <"$work/input" >"$work/printed" 2>"$work/stderr" &
  watched=$!
  exec 4>"$work/input"
  wait_for test -s "$work/printed"
  "$proflog" doctor "$watched" >"$work/out" 2>&1 || fail "doctor does not accept the process"
  says "$work/out" "/$library"
  grep -q '^ok *functions *all [0-9]* that the module needs$' "$work/out" || fail "functions are missing"
  grep -q '^ok *attach ' "$work/out" || fail "it cannot be attached to"
  "$proflog" attach "$watched" -o "$log" >"$work/out" 2>"$work/err" || fail "attach ended with $?"
  sleep 1
  "$proflog" doctor "$watched" >"$work/out" 2>&1
  grep -q '^none *attach *the module is loaded' "$work/out" || fail "the module is not seen"
  exec 4>&-
  wait "$watched"
  test $? = 7 || fail "the program did not end as it does"
  rm "$work/input"
  watched=
  read_figures
  test "$(figure cpu.hits)" -gt 20 || fail "no samples"
  test "$(figure exceptions.throws)" -gt 0 || fail "no exceptions"
done
test -n "$libraries" || exit 77

case="a runtime that lacks a function"
echo "case: $case"
cat >"$work/fake.c" <<'END'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
void mono_profiler_create (void) {}
void mono_config_parse (void) {}
void *mono_jit_init_version (void) { return NULL; }
void mono_domain_assembly_open (void) {}
void mono_jit_exec (void) {}
void mono_jit_cleanup (void) {}
void
mono_profiler_load (const char *options)
{
  void (*init) (const char *);
  void *module = dlopen ("libmono-profiler-proflog.so", RTLD_NOW);
  if (module == NULL)
    puts (dlerror ());
  *(void **) &init = module != NULL ? dlsym (module, "mono_profiler_init_proflog") : NULL;
  if (init != NULL)
    init (options);
  fflush (stdout); /* so the call is no jump: the module sees this library as its caller */
}
END
cc -shared -fPIC -o "$work/fake.so" "$work/fake.c" -ldl || fail "the fake runtime does not compile"
LD_LIBRARY_PATH=$module_dir "$work/local-host" "$work/fake.so" "output=$log.never" "$alloc" >"$work/out" 2>"$work/stderr"
test $? = 3 || fail "it ended otherwise"
printf 'proflog: the runtime in %s has no function %s, which the module needs; the program runs unprofiled\n' \
  "$work/fake.so" mono_array_element_size >"$work/wanted"
cmp -s "$work/stderr" "$work/wanted" || fail "another line"
test ! -e "$log.never" || fail "there is a log"
"$proflog" doctor "$work/fake.so" >"$work/out"
test $? = 1 || fail "doctor accepts it"
says "$work/out" 'no mono_array_element_size and '

case="a runtime in the program"
echo "case: $case"
if pkg-config --exists monosgen-2 && test -f "$(pkg-config --variable=libdir monosgen-2)/libmonosgen-2.0.a"; then
  static="-Wl,--whole-archive $(pkg-config --variable=libdir monosgen-2)/libmonosgen-2.0.a -Wl,--no-whole-archive"
  # shellcheck disable=SC2046,SC2086 # words
  for flag in -rdynamic ''; do
    cc $flag -o "$work/embedder" "$sources/embedder.c" $(pkg-config --cflags monosgen-2) $static \
      -lz -lm -lrt -ldl -lpthread || fail "the embedder does not compile"
    rm -f "$log"
    LD_LIBRARY_PATH=$module_dir "$work/embedder" "alloc,output=$log" "$alloc" cleanup 2 500 \
      >"$work/printed" 2>"$work/stderr" || fail "it ended with $?"
    if test -n "$flag"; then
      test ! -s "$work/stderr" || fail "complaints"
      awk '/:/ { sum[$1] += $2 } END { for (key in sum) print key, sum[key] }' "$work/printed" >"$truth"
      read_figures
      expect_truth
      "$proflog" doctor "$work/embedder" >"$work/out" || fail "doctor does not accept it"
    else
      says "$work/stderr" 'exports no mono_profiler_create: a program that has Mono linked in must export'
      test "$(wc -l <"$work/stderr")" = 1 || fail "more than a line"
      test ! -e "$log" || fail "there is a log"
    fi
  done
else
  leave_out libmono-2.0-dev "has no libmonosgen-2.0.a"
fi

case="files without a runtime"
echo "case: $case"
for file in "$proflog" "$alloc" "$work/none"; do
  "$proflog" doctor "$file" >"$work/out" && fail "doctor accepts $file"
  grep -q '^missing  runtime  ' "$work/out" || fail "another check of $file"
done
echo "$checks figures agree"
