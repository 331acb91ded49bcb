# lib.sh -- what the tests of the installed libraries share.
. "${srcdir:-.}/tests/lib.sh"
source_top=$(cd "$tests/.." && pwd)
cd "$work" || exit 1

# installed_headers: names of the headers that `make install` installs, a line each.
installed_headers ()
{
  sed -n '/^dist_profloginclude_HEADERS/,/[^\\]$/s/.*include\/proflog\/\([a-z-]*\.h\).*/\1/p' "$source_top/include/local.mk"
}

# declared_in FILE HEADER...: functions of the headers that a library has, "HEADER FUNCTION" a line, into the file;
# those that a list of events makes, too.  Needs gcc, which lists them.
declared_in ()
{
  list=$1
  shift
  for header; do
    name=${header##*/}
    echo "#include \"$header\"" >source.c
    # shellcheck disable=SC2046
    gcc -std=gnu11 -fsyntax-only -aux-info prototypes -I"$source_top/include" $(pkg-config --cflags glib-2.0) source.c \
      || fail "$header does not compile"
    sed -n -E "s,^/\* ([^ ]*/)*($name|[a-z-]+\.def):[0-9]+:NC \*/ extern [^(]*[ *]([a-z_0-9]+) \(.*,$name \3,p" prototypes
  done | sort -u >"$list"
}
