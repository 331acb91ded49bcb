# check-calls.awk -- the rules of scripts/check-calls; reads scripts/include-rules, docs/architecture.md, then lines
# FILE U|D SYMBOL.

# The simulated host stands in for the runtime, and examples use what is installed.
BEGIN { outside["host"]; outside["examples"] }

FILENAME ~ /include-rules$/ {
  read_rule()
  if ($1 == "circles") expected[$2] = $3
  if ($1 == "misnamed") misnamed_most = $2
  next
}

# - **`ROOM`** ...  Prefix: `a_`, `b_`.
FILENAME ~ /architecture\.md$/ {
  if (match ($0, /^- \*\*`[^`]*`\*\*/)) { room = substr($0, 6, RLENGTH - 8); in_prefixes = 0 }
  if ($0 !~ /^(- |  )/) room = ""
  if (room == "") next
  n = split($0, part, "`")
  for (i = 1; i <= n; i++) {
    if (part[i] ~ /Prefix(es)?:/) in_prefixes = 1
    if (i % 2 == 0 && in_prefixes && part[i] ~ /_$/) prefixes[room] = prefixes[room] " " part[i]
  }
  next
}

$2 == "D" { definers[$3]++; definer[$3] = $1 }
$2 == "U" { uses[++count] = $1 " " $3 }
{ files[$1] = 1 }

# Tarjan's algorithm for strongly connected components, without recursion.
function find_circles(    f, v, w, i, n, list) {
  for (f in files)
    if (!(f in index_of)) {
      top = 1; call[1] = f; at[1] = 1
      while (top > 0) {
        v = call[top]
        if (at[top] == 1) { index_of[v] = low[v] = ++order; stack[++depth] = v; on[v] = 1 }
        else if (child[top] != "" && low[child[top]] < low[v]) low[v] = low[child[top]]
        child[top] = ""
        n = split(next_of[v], list, " ")
        for (i = at[top]; i <= n; i++) {
          w = list[i]
          if (!(w in index_of)) { at[top] = i + 1; child[top] = w; top++; call[top] = w; at[top] = 1; child[top] = ""; break }
          if (on[w] && index_of[w] < low[v]) low[v] = index_of[w]
        }
        if (i <= n) continue
        if (low[v] == index_of[v]) {
          list_of = ""; members = 0
          do { w = stack[depth--]; on[w] = 0; list_of = w " " list_of; members++ } while (w != v)
          if (members > 1) print_circle(list_of)
        }
        top--
      }
    }
}

# Counts a circle in the room of each of its files.
function print_circle(names,    n, i, k, list) {
  n = split(names, list, " ")
  text = text "circle: " n " files: " names "\n"
  for (i = 1; i <= n; i++) {
    in_circles[folder(list[i])]++
    for (k = 1; n <= 12 && k <= n; k++)
      if ((list[i], list[k]) in edge) text = text "    " list[i] " uses " edge[list[i], list[k]] " of " list[k] "\n"
  }
}

# Has the symbol a name that leads to its file?
function is_named(file, symbol,    room, stem, last, n, i, list) {
  room = folder(file)
  stem = file; sub(/^.*\//, "", stem); sub(/\.c$/, "", stem); gsub(/-/, "_", stem)
  last = room; sub(/^.*\//, "", last)
  if (index(symbol, stem) == 1 || (index(stem, last "_") == 1 && index(symbol, substr(stem, length(last) + 2)) == 1))
    return 1
  n = split(prefixes[room], list, " ")
  for (i = 1; i <= n; i++)
    if (index(symbol, list[i]) == 1)
      return 1
  return 0
}

END {
  for (i = 1; i <= count; i++) {
    split(uses[i], use, " ")
    from = use[1]; symbol = use[2]
    if (definers[symbol] != 1) continue # of another library, or of several programs
    to = definer[symbol]
    if (to == from || folder(to) in outside || folder(from) in outside) continue
    here = folder(from); there = folder(to)
    if (!(symbol in is_used)) {
      is_used[symbol]
      used_symbols++
      if (!is_named(to, symbol)) misnamed[++misnamed_count] = "name: " symbol " of " to
    }
    if ((("call", from ":" symbol) in exceptions) || (("call", here ":" symbol) in exceptions)) continue
    if (!((from, to) in edge)) { edge[from, to] = symbol; next_of[from] = next_of[from] " " to }
    if (here != there && (here in allowed) && !may_use(from, there))
      print "call: " from " uses " symbol " of " to "; " here " may use: " (allowed[here] == "" ? "nothing else" : allowed[here])
  }
  find_circles()
  for (room in in_circles) rooms[room]
  for (room in expected) rooms[room]
  for (room in rooms)
    if (in_circles[room] + 0 > expected[room] + 0) {
      print "circle: " room " has " in_circles[room] + 0 " files in circles, scripts/include-rules says " expected[room] + 0
      wrong = 1
    }
  if (wrong) printf "%s", text
  if (misnamed_count + 0 > misnamed_most + 0) {
    for (i = 1; i <= misnamed_count; i++) print misnamed[i]
    print "name: " misnamed_count " of " used_symbols " symbols do not begin with the name of their file, scripts/include-rules says " misnamed_most + 0
  }
}
