#!/bin/sh
# Each function of the installed headers has a comment, and the first comment of each header states which threads may
# call them.
. "${srcdir:-.}/tests/library/lib.sh"
need gcc pkg-config

# undocumented HEADER: what it lacks, a line each.
undocumented ()
{
  functions_of "$1" >functions
  awk -v functions=functions -f "$tests/library/undocumented.awk" "$1"
}

for header in $(installed_headers); do
  undocumented "$source_top/include/proflog/$header" >lacks || fail "awk cannot read $header"
  quiet lacks || { cat lacks; fail "$header is not documented"; }
  checks=$((checks + 1))
done
test "$checks" -ge 15 || fail "there are only $checks headers"

cat >planted.h <<'END'
/* planted.h -- nothing about who may call it. */
struct planted;

/* A new one. */
struct planted *planted_new (void);
void planted_free (struct planted *planted);

int planted_bare (void); /* after it */

/* A comment of a type. */
struct other {
  int member;
};
static inline int
planted_inline (void)
{
  return 0;
}
END
undocumented planted.h >lacks
cat >expected <<'END'
planted.h:8: planted_bare has no comment
planted.h:15: planted_inline has no comment
planted.h: the first comment does not state thread safety
END
same lacks expected
echo "$checks checks"
