#!/bin/sh
# The examples, and the first program of docs/library.md, are built and run as a user does: against an installed tree,
# by pkg-config.  What they print is what the logs have by their writer or by other readers.
. "${srcdir:-.}/tests/library/lib.sh"
need pkg-config
cc=${CC:-cc}

# The targets that install what programs need; the makefile of this test's run has variables of its own.
env -u MAKEFLAGS -u MAKEOVERRIDES make -s -C "$top_builddir" DESTDIR="$work/root" install-libLTLIBRARIES \
  install-dist_proflogincludeHEADERS install-pkgconfigDATA install-dist_examplesDATA \
  install-dist_pythonmoduleDATA >installed 2>&1 \
  || fail "not installed: $(tail -n 3 installed)"
PKG_CONFIG_PATH=$(dirname "$(find "$work/root" -name proflog.pc)")
prefix=$(sed -n 's/^prefix=//p' "$PKG_CONFIG_PATH/proflog.pc")
for file in "$PKG_CONFIG_PATH"/*.pc; do
  sed "s|^prefix=.*|prefix=$work/root$prefix|" "$file" >moved
  cat moved >"$file"
done
LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH")
export PKG_CONFIG_PATH LD_LIBRARY_PATH
examples=$(dirname "$(find "$work/root" -name log-figures.c)")

# build NAME PACKAGE: from the installed source.
build ()
{
  # shellcheck disable=SC2046,SC2086
  $cc -Wall -Wextra -Werror -o "$1" "${3:-$examples/$1.c}" $(pkg-config --cflags --libs "$2") -pthread >err 2>&1 \
    || fail "$1 cannot be built"
}

# result_of COMMAND...: what it prints is in out.
result_of ()
{
  case=$*
  "$@" >out 2>err || fail "status $?"
  quiet err
}

# counted LOG KEY: what other readers count in the log of the stock profiler.
counted ()
{
  awk -F '\t' -v key="$2" '$1 == key { print $2 }' "$logs/$1.counts"
}

# ---- the first program ----

sed -n '/^```c$/,/^```$/p' "$source_top/docs/library.md" | sed '/^```/d' >allocated.c
build allocated proflog allocated.c
for name in stock-alloc stock-domains stock-dynamic; do
  result_of ./allocated "$logs/$name.mlpd.gz"
  echo "$(counted $name count:alloc) objects, $(counted $name sum:alloc.size) bytes" >expected
  same out expected
done
echo no log >no-log
./allocated no-log >out 2>err && fail "the first program reads what is no log"
./allocated nowhere >out 2>err && fail "the first program reads what is not there"
says err nowhere

# ---- logs of Mono, and of both ----

for name in log-figures print-log heap-classes rewrite-eventlog; do build $name proflog; done
result_of ./log-figures "$logs/stock-alloc.mlpd.gz"
for figure in 'allocations.objects count:alloc' 'allocations.bytes sum:alloc.size'; do
  number=$(counted stock-alloc "${figure#* }")
  grep -q -x "${figure% *} $number $number" out || fail "${figure% *} is not $number"
done
cp out figures
if command -v python3 >/dev/null && test "${SANITIZER:-no}" = no; then
  PYTHONPATH=$(dirname "$(find "$work/root" -name proflog.py)")
  export PYTHONPATH
  result_of python3 "$examples/log-figures.py" "$logs/stock-alloc.mlpd.gz"
  same out figures
fi
result_of ./print-log "$logs/stock-alloc.mlpd.gz" filter System.String
test -s out || fail "nothing is printed"
result_of ./print-log "$logs/stock-alloc.mlpd.gz"
test "$(grep -c ' alloc ' out)" = "$(counted stock-alloc count:alloc)" || fail "not each allocation is printed"

# tests/logs/make-small.c writes an object of 24 bytes, which refers to one of 4096.
result_of ./heap-classes "$small"
sort out >sorted
awk '{ objects += $1; bytes += $2 } END { print objects, bytes }' sorted >found
echo '2 4120' >expected
same found expected

# ---- eventlogs ----

result_of ./rewrite-eventlog "$logs/small.eventlog" copy
build write-eventlog proflog-eventlog
result_of ./write-eventlog written.eventlog
if has ghc-events; then
  for log in copy written.eventlog; do
    ghc-events validate threads "$log" >out 2>err || fail "ghc-events cannot validate $log"
    says out 'Valid event log'
  done
  # 1000 rounds of 3 events, 10 collections of 3, 2 of the thread, 6 of the program, 3 of each of 2 capabilities;
  # markers of blocks are no events there.
  ghc-events show written.eventlog >out 2>err || fail "ghc-events cannot read it"
  test "$(sed -n '/^Events:/,$p' out | grep -c '^[0-9]*:')" -gt 6000 || fail "events are missing"
fi
echo "$checks checks"
