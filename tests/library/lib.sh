# lib.sh -- what the tests of the installed libraries share.
# shellcheck shell=sh
. "${srcdir:-.}/tests/lib.sh"
source_top=$(cd "$tests/.." && pwd)
cd "$work" || exit 1

# installed_headers: names of the headers that `make install` installs, a line each.
installed_headers ()
{
  sed -n '/^dist_profloginclude_HEADERS/,/[^\\]$/s/.*include\/proflog\/\([a-z-]*\.h\).*/\1/p' "$source_top/include/local.mk"
}

# list_functions HEADER: what gcc lists of it, in the file prototypes.
list_functions ()
{
  echo "#include \"$1\"" >source.c
  # shellcheck disable=SC2046
  gcc -std=gnu11 -fsyntax-only -aux-info prototypes -I"$source_top/include" -I. $(pkg-config --cflags glib-2.0) source.c \
    || fail "$1 does not compile"
}

# functions_of HEADER: all functions that it declares or defines itself, a line each.
functions_of ()
{
  list_functions "$1"
  sed -n -E "s,^/\* ([^ ]*/)*${1##*/}:[0-9]+:N[CF] \*/ (extern|static) [^(]*[ *]([a-z_0-9]+) \(.*,\3,p" prototypes | sort -u
}

# declared_in FILE HEADER...: functions of the headers that a library has, "HEADER FUNCTION" a line, into the file;
# those that a list of events makes, too.
declared_in ()
{
  list=$1
  shift
  for header; do
    name=${header##*/}
    list_functions "$header"
    sed -n -E "s,^/\* ([^ ]*/)*($name|[a-z-]+\.def):[0-9]+:NC \*/ extern [^(]*[ *]([a-z_0-9]+) \(.*,$name \3,p" prototypes
  done | sort -u >"$list"
}
