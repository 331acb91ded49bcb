#!/bin/sh
# Heap snapshots of a program whose references are known by construction: their fields and elements, in all that
# shows them.  A log without descriptions of classes shows offsets.
. "${srcdir:-.}/tests/mono/lib.sh"
compile fields

# recorded LOG OPTIONS: the program's lines are in `truth`.
recorded ()
{
  rm -f "$1"
  profiled "output=$1,$2" fields >"$work/truth" || fail "$2: fields.exe"
  "$top_builddir/tests/host/check-log" "$1" || fail "$2: the log is not in order"
}

# has FILE LINE...: whole lines.
has ()
{
  file=$1
  shift
  for line; do
    grep -qxF -- "$line" "$file" || { cat "$file"; fail "no line '$line'"; }
    checks=$((checks + 1))
  done
}

# ways LOG: "FIELD: CLASS", "static CLASS.FIELD" from the roots to each class of the truth, in `ways`.
ways ()
{
  while read -r holder field target; do
    "$proflog" heap paths --limit 0 "$1" "$target" >"$work/one" 2>&1 || { cat "$work/one"; fail "paths to $target"; }
    sed -n 's/^ *[0-9]\{1,\}  *[0-9]\{1,\}  *//p' "$work/one"
  done <"$work/truth" >"$work/ways"
}

recorded "$log" heapshot=1gc,format=17
ways "$log"
while read -r holder field target; do
  case $holder,$field in
    static,*) has "$work/ways" "static $field" ;;
    *,\[*) ;;
    *) has "$work/ways" "$field: $target" ;;
  esac
done <"$work/truth"

# Each reference by itself.
if test -x "$top_builddir/proflog-query"; then
  "$proflog" query --format csv "$log" "SELECT a.type || ' ' || r.field || ' ' || b.type AS line
    FROM heap_refs r JOIN heap_objects a USING (shot, object)
    JOIN heap_objects b ON b.shot = r.shot AND b.object = r.target
    WHERE r.shot = 1 AND b.type LIKE 'Probe.Of%'" 2>"$work/err" | sed 's/^"\(.*\)"$/\1/' >"$work/refs" || fail "query"
  grep -v '^static ' "$work/truth" >"$work/wanted"
  while read -r line; do
    has "$work/refs" "$line"
  done <"$work/wanted"
fi

# In the heap graph of Perfetto; there elements of arrays have no number.
if has python3; then
  "$proflog" export -q --format perfetto -o "$work/trace" "$log" || fail "export"
  PYTHONDONTWRITEBYTECODE=1 python3 "$tests/mono/perfetto-fields.py" "$work/trace" >"$work/refs" || fail "no heap graph"
  grep -v -e '^static ' -e ' \[' "$work/truth" >"$work/wanted"
  while read -r line; do
    has "$work/refs" "$line"
  done <"$work/wanted"
fi
echo "$checks checks"
