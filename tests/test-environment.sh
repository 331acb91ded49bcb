#!/bin/sh
# The lines at the end of `make install` are those that a shell lacks, and with them it lacks none.
. "${srcdir:-.}/tests/lib.sh"
need ldconfig pkg-config

print=$(cd "${srcdir:-.}" && pwd)/scripts/print-environment
bin="$work/a prefix/bin" lib="$work/a prefix/lib"
unset LD_LIBRARY_PATH PKG_CONFIG_PATH
"$print" "$bin" "$lib" >"$work/out" || fail "status $?"
test "$(grep -c '^    export ' "$work/out")" = 3 || { cat "$work/out"; fail "not three lines"; }
# Twice: as it is, and where the variables had other directories.
for others in "" /other; do
  (
    PATH=$PATH${others:+:$others} LD_LIBRARY_PATH=$others PKG_CONFIG_PATH=$others
    grep '^    export ' "$work/out" >"$work/lines"
    . "$work/lines"
    "$print" "$bin" "$lib" >"$work/again"
    test "${PATH%%:*}" = "$bin" || fail "PATH is $PATH"
    test "$LD_LIBRARY_PATH" = "$lib${others:+:$others}" || fail "LD_LIBRARY_PATH is $LD_LIBRARY_PATH"
    test "$PKG_CONFIG_PATH" = "$lib/pkgconfig${others:+:$others}" || fail "PKG_CONFIG_PATH is $PKG_CONFIG_PATH"
  ) || exit 1
  test ! -s "$work/again" || { cat "$work/again"; fail "lines are missing with these lines"; }
done
PATH=$PATH:$bin "$print" "$bin" "$lib" >"$work/out"
! grep -q 'export PATH' "$work/out" || fail "PATH has the directory already"
