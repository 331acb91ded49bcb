# check-calls.awk -- the rules of scripts/check-calls; reads scripts/include-rules, then lines FILE U|D SYMBOL.

# The simulated host stands in for the runtime, and examples use what is installed.
BEGIN { outside["host"]; outside["examples"] }

FILENAME ~ /include-rules$/ {
  if ($1 == "room") { room = $2; sub(/:$/, "", room); sub(/^[^:]*: */, ""); allowed[room] = $0 }
  if ($1 == "except") exceptions[$2, $3] = 1
  if ($1 == "circles") expected[$2] = $3
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

END {
  for (i = 1; i <= count; i++) {
    split(uses[i], use, " ")
    from = use[1]; symbol = use[2]
    if (definers[symbol] != 1) continue # of another library, or of several programs
    to = definer[symbol]
    if (to == from || folder(to) in outside || folder(from) in outside) continue
    here = folder(from); there = folder(to)
    if ((("call", from ":" symbol) in exceptions) || (("call", here ":" symbol) in exceptions)) continue
    if (!((from, to) in edge)) { edge[from, to] = symbol; next_of[from] = next_of[from] " " to }
    if (here != there && (here in allowed) && !matches(allowed[here], there))
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
}
