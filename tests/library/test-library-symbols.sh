#!/bin/sh
# Each shared library has the functions that its installed headers declare, in the version that its list states, and
# nothing else.
. "${srcdir:-.}/tests/library/lib.sh"
need gcc nm pkg-config

# headers_of LIBRARY: the headers whose functions it has.  program.h is of all that record: here, of libproflog-ghc.
headers_of ()
{
  case $1 in
    libproflog-eventlog) echo eventlog-writer.h ;;
    libproflog-ghc) printf '%s\n' ghc-program.h program.h ;;
    libproflog) installed_headers | grep -v -x -e eventlog-writer.h -e ghc-program.h -e program.h ;;
  esac
}

# listed MAP: "FUNCTION@@VERSION", a line each.
listed ()
{
  awk '$2 == "{" { version = $1 }
    version != "" && /;$/ && $1 != "*;" && $1 !~ /}/ { sub (/;/, "", $1); print $1 "@@" version }' "$1" | sort
}

for map in "$source_top"/decoder/libproflog.map "$source_top"/eventlog/libproflog-eventlog.map \
  "$source_top"/ghc/libproflog-ghc.map; do
  case=$(basename "$map" .map)
  listed "$map" >expected
  nm -D --defined-only "$top_builddir/.libs/$case.so" | awk '$2 != "A" { print $3 }' | sort >found
  same found expected
  # shellcheck disable=SC2046
  declared_in declared $(headers_of "$case" | sed 's,^,proflog/,')
  sed 's/.* //' declared | grep -v '^proflog_span_' | sort >expected # which the module alone has
  listed "$map" | sed 's/@@.*//' >found
  same found expected
  test -s found || fail "there are no functions"
done
case=

# The list of a header has all of its functions: of any type, and no macros, types or functions in the header.
cat >planted.h <<'END'
#include <stdint.h>
struct planted;
struct planted *planted_new (void);
uint64_t planted_bytes (const struct planted *planted);
int (*planted_callback (struct planted *planted)) (void);
void planted_free (struct planted *planted,
                   void (*free) (void *));
typedef int planted_type (void);
static inline int planted_here (void) { return 0; }
END
declared_in declared "$PWD/planted.h"
printf 'planted.h %s\n' planted_bytes planted_free planted_new >expected
same declared expected
echo "$checks checks"
