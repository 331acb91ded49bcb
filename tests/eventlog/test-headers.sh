#!/bin/sh
# Each header of include/proflog compiles alone, in C and in C++, and the macros that a program calls
# do, too.
. "${srcdir:-.}/tests/lib.sh"
set -e
include=$(cd "${srcdir:-.}" && pwd)/include
cd "$work"
glib=$(pkg-config --cflags glib-2.0)
failed=0

# compile LANGUAGE NAME COMPILER FLAG...
compile() {
  language=$1 name=$2
  shift 2
  # Compilers and flags are words.
  # shellcheck disable=SC2086
  "$@" -Wall -Wextra -Werror -I"$include" $glib -fsyntax-only -x "$language" source >out 2>&1 || {
    echo "FAIL: $name in $language"
    cat out
    failed=1
  }
}

# both NAME: the file "source" in each language that there is a compiler for.
both() {
  # shellcheck disable=SC2086
  compile c "$1" ${CC:-cc} -std=c11
  # shellcheck disable=SC2086
  if command -v ${CXX:-c++} >/dev/null; then compile c++ "$1" ${CXX:-c++}; fi
}

for header in "$include"/proflog/*.h; do
  name=${header##*/}
  echo "#include <proflog/$name>" >source
  both "$name"
done

cat >source <<'END'
#include <proflog/eventlog-writer.h>

int use (struct eventlog_writer *writer);

int
use (struct eventlog_writer *writer)
{
  return EVENTLOG_POST (writer, 0, create_thread, .thread = 7) != EVENTLOG_OK
         || EVENTLOG_POST (writer, 0, gc_start) != EVENTLOG_OK;
}
END
both EVENTLOG_POST
# shellcheck disable=SC2086
has ${CXX:-c++} || true
exit $failed
