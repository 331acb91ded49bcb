# index-lib.sh -- what the tests of --index share.  Sourced after lib.sh.
# shellcheck shell=sh

# Bytes that no event begins with, for printf %b.
bad='\0377\0377\0377\0377\0377\0377\0377\0377\0377\0377\0377\0377'

# no_index LOG: there is none.
no_index ()
{
  rm -f "$1.index"
}

# make_index LOG: there is one that holds.
make_index ()
{
  run 0 info --index "$1"
  test -s "$1.index" || fail "no $1.index was written"
}

# printed ARGUMENT...: what the command prints, and its status.
printed ()
{
  echo "== $*"
  "$proflog" "$@" 2>&1
  echo "status $?"
}

# same_printed LOG FUNCTION: its output is the same with and without an index.
same_printed ()
{
  no_index "$1"
  "$2" "$1" >without
  make_index "$1"
  "$2" "$1" >with
  diff without with >out 2>&1 || fail "$2 of $1: the index makes a difference"
  checks=$((checks + $(grep -c '^== ' with)))
}

# ask SQL LOG
ask ()
{
  printed query --format csv "$2" "$1"
}
