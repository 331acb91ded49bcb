#!/bin/sh
# Call stacks of ghc-stack-profiler in the flame graph of serve, while the log is written: as many samples as the
# generator wrote, of its stacks.
. "${srcdir:-.}/tests/cli/lib.sh"
. "$tests/serve/lib.sh"
need curl python3
trap 'kill -9 $served 2>/dev/null; rm -rf "$work"' EXIT

python3 "$tests/cli/random-call-stacks.py" made.eventlog made.folded 300 4000 7 innermost || fail 'random-call-stacks.py'
size=$(wc -c <made.eventlog)
head -c $((size / 2)) made.eventlog >grows.eventlog
serve --interval 100ms grows.eventlog

# folded: the stacks of the graph as the generator has them, sorted.
cat >folded.py <<'END_OF_PYTHON'
import json, sys
g = json.load (sys.stdin)
paths = { 0: "" }
for i, (parent, name, own) in enumerate (zip (g["parents"], g["names"], g["selves"]), 1):
    paths[i] = paths[parent] + ";" * (parent != 0) + g["frames"][name]
    if own:
        print (paths[i], own)
END_OF_PYTHON
samples_are ()
{
  curl -sf "${url}flame" | python3 folded.py 2>why | sort >folded
  test "$(awk '{ n += $NF } END { print n + 0 }' folded)" -ge "$1"
}
wait_for samples_are 1500
tail -c +$((size / 2 + 1)) made.eventlog >>grows.eventlog
wait_for samples_are 4000
sort made.folded | cmp -s - folded || fail "other stacks: $(diff made.folded folded | head -n 5)"
checks=$((checks + 2))

# By frame, in the table of the page and of top: in how many stacks it is, and is the innermost one.
curl -sN --max-time 3 "${url}events" | sed -n 's/^data: //p' >events || :
python3 - <<'END_OF_PYTHON' || fail 'other frames'
import json
wanted = {}
for line in open ("made.folded"):
    path, n = line.rstrip ("\n").rsplit (" ", 1)
    frames = path.split (";")
    for name in set (frames):
        all, own = wanted.get (name, (0, 0))
        wanted[name] = all + int (n), own + int (n) * (frames[-1] == name)
tables = next (m["tables"] for m in map (json.loads, open ("events")) if m.get ("tables"))
rows = next (t["rows"] for t in tables if t["name"] == "frames")
assert len (rows) >= 20, rows
for row in rows:
    assert tuple (row["values"][2:]) == wanted[row["name"]], (row, wanted[row["name"]])
most = max (wanted.values ())
assert any (tuple (row["values"][2:]) == most for row in rows)
END_OF_PYTHON
checks=$((checks + 1))
end_server TERM 0
done_checks
