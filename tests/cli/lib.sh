# lib.sh -- what the tests of the command share.  Sourced by each of them; they run in $work.
. "${srcdir:-.}/tests/lib.sh"
cd "$work" || exit 1
test -x "$proflog" || fail "$proflog is not built"
test -f "$small" || fail "there is no $small"

# run_into FILE STATUS ARGUMENT...: proflog ends with this status; what it prints is in the file and err.
run_into ()
{
  result=$1 expected_status=$2
  shift 2
  "$proflog" "$@" >"$result" 2>err
  status=$?
  test "$status" = "$expected_status" || fail "proflog $*: status $status, not $expected_status"
  checks=$((checks + 1))
}

# run STATUS ARGUMENT...: the same, into out.
run ()
{
  run_into out "$@"
}

# read_json: the JSON in out, as lines of path, tab, value in figures.
read_json ()
{
  "$json_paths" <out >figures || fail "out is not JSON"
}

# expect PATH VALUE: a figure.
expect ()
{
  path=$1 value=$2 awk -F '\t' '
    $1 == ENVIRON["path"] { found = 1; if ($2 != ENVIRON["value"]) wrong = $2 }
    END { if (!found) print "nothing"; else if (wrong != "") print wrong }' figures >wrong
  test ! -s wrong || fail "$1 is $(cat wrong), not $2"
  checks=$((checks + 1))
}

# read_table: the rows of `proflog --complete` are in table.
read_table ()
{
  run_into table 0 --complete
}

# table_column KIND COMMAND N: the Nth fields of a command's rows of this kind.
table_column ()
{
  awk -F '\t' -v kind="$1" -v command="$2" -v n="$3" '$1 == kind && $2 == command { print $n }' table
}

# overwrite FILE OFFSET BYTES: other bytes there, written as for printf %b.
overwrite ()
{
  printf %b "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>dd-err || fail "$(cat dd-err)"
}

# same_lines FILE LINE...: the file is these lines.
same_lines ()
{
  file=$1
  shift
  printf '%s\n' "$@" >expected
  same "$file" expected
}

# same_from_anywhere COMMAND: of $eventlog on standard input, in bits, compressed, by another name it prints
# what is in whole.
same_from_anywhere ()
{
  { head -c 33 "$eventlog"; sleep 0.1; tail -c +34 "$eventlog"; } | run_into out 0 "$1" - || exit 1
  quiet err
  same out whole
  gzip -c "$eventlog" >packed.mlpd
  run 0 "$1" packed.mlpd
  same out whole
  run 0 "$1" - <packed.mlpd
  same out whole
}

# convert_to LOG RESULT ARGUMENT...: what `proflog convert` makes of it.
convert_to ()
{
  converted=$1 made=$2
  shift 2
  rm -f "$made"
  "$proflog" convert -q "$@" "$converted" -o "$made" 2>err || fail "$converted to $made: status $?"
}

done_checks ()
{
  echo "$checks checks"
}
