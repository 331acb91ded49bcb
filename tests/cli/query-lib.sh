# query-lib.sh -- conditions of `proflog query`.  Sourced after lib.sh; the tests have `ask SQL LOG...`, which leaves the
# rows in rows.

# same_rows LOG TABLE CONDITION...: with each condition the rows are the same if no cursor gets it, which an
# expression is for.
same_rows ()
{
  of=$1 table=$2
  shift 2
  for condition; do
    ask "SELECT * FROM $table WHERE $condition" "$of"
    mv rows pushed
    ask "SELECT * FROM (SELECT * FROM $table LIMIT -1 OFFSET 0) WHERE $condition" "$of"
    same pushed rows
    some=$((some + $(wc -l <rows)))
  done
}
