#!/bin/sh
# Samples in native code have the names of functions that a library does not export: from its own table of
# symbols, from a debug file by build id or debug link, else its file and the offset.
. "${srcdir:-.}/tests/mono/lib.sh"

need cc strip objcopy
compile native
mkdir "$work/lib"
library=$work/lib/libnative.so

# build OPTION...: the library, and its debug file beside it.
build ()
{
  rm -rf "${work:?}/lib"
  mkdir "$work/lib"
  cc -O2 -g -shared -fPIC "$@" -o "$library" "$sources/native.c" || fail "the library does not compile"
  objcopy --only-keep-debug "$library" "$work/lib/libnative.debug" || fail "there is no debug file"
}

link_debug_file ()
{
  strip "$library" && (cd "$work/lib" && objcopy --add-gnu-debuglink=libnative.debug libnative.so) \
    || fail "the library has no debug link"
}

# sampled NAME: how many of 100 hits the native functions with this in their name have, of Work and Sort.
sampled ()
{
  name=$1 awk -F '\t' '
    match ($1, /^cpu\.native\[.*\]\.hits$/) { all += $2; if (index ($1, ENVIRON["name"])) found += $2 }
    END { printf "%d\n", all ? 100 * found / all : 0 }' "$figures"
}

record_native ()
{
  rm -f "$log"
  LD_LIBRARY_PATH=$work/lib:$module_dir mono "--profile=proflog:sample=250,format=17,output=$log" \
    "$programs/native.exe" 12 >"$truth" 2>"$work/stderr" || fail "the program failed"
  test ! -s "$work/stderr" || fail "complaints"
  read_figures
  grep '^cpu.native' "$figures"
  # Nearly all hits are in code with a name.
  hits=$(figure cpu.hits) unnamed=$(figure cpu.unresolved)
  test "$hits" -gt 50 || fail "$hits hits"
  test $((50 * unnamed)) -lt "$hits" || fail "$unnamed of $hits hits have no name"
}

# Both parts of the work are named, and as large beside each other as the program's clock says.
expect_hidden ()
{
  record_native
  test "$(sampled hidden_sums)" -gt 5 && test "$(sampled hidden_quotients)" -gt 2 \
    && test "$(sampled hidden_order)" -gt 2 || fail "$1: functions are not named"
  test "$(sampled libnative.so+0x)" = 0 || fail "$1: functions are named by place"
  awk -F '\t' '
    FILENAME == ARGV[1] { used[$2] = $3; sum += $3; next }
    match ($1, /^cpu\.native\[hidden_[sq][a-z]*\]\.hits$/) { hits += $2 }
    $1 == "cpu.interval_ns" { interval = $2 }
    END {
      share = 100 * hits * interval / used["Work"]
      printf "%.0f %% of the time of Work\n", share
      exit share < 85 || share > 115
    }' "$truth" "$figures" || fail "$1: the hits are not the time of the work"
}

expect_place ()
{
  record_native
  test "$(sampled hidden)" = 0 || fail "$1: hidden functions are named"
  test "$(sampled libnative.so+0x)" -gt 10 || fail "$1: functions are not named by place"
}

build
expect_hidden "with symbols"

build
link_debug_file
expect_hidden "with a debug link and a build id"

build -Wl,--build-id=none
link_debug_file
expect_hidden "with a debug link and a sum"
mkdir "$work/lib/.debug"
mv "$work/lib/libnative.debug" "$work/lib/.debug"
expect_hidden "with a debug file in .debug"

# A debug file of another build is not used.
build -Wl,--build-id=none
link_debug_file
echo >>"$work/lib/libnative.debug"
expect_place "with a debug file of another build"

build
strip "$library"
expect_place "without symbols"

# Each file of a log in turn has the names of its hits.
build
rm -rf "$work/turn"
mkdir "$work/turn"
LD_LIBRARY_PATH=$work/lib:$module_dir mono "--profile=proflog:sample=250,format=17,rotate=1s,flush=100ms,output=$work/turn/log.mlpd" \
  "$programs/native.exe" 40 >"$truth" 2>"$work/stderr" || fail "the program failed"
files=0
for file in "$work"/turn/*.mlpd; do
  read_figures "$file"
  hits=$(figure cpu.hits) unnamed=$(figure cpu.unresolved)
  echo "$hits hits, $unnamed without a name"
  test $((20 * unnamed)) -le "$hits" || fail "$unnamed of $hits hits have no name in ${file##*/}"
  test "$hits" -lt 20 || files=$((files + 1))
done
test "$files" -gt 1 || fail "there is one file"
