# include-rules.awk -- what check-includes.awk and check-calls.awk share: the rules, and lists of rooms.

# read_rule() -- of the line, which is one of scripts/include-rules: what both use.
function read_rule(    room, list) {
  list = $0
  sub(/^[^:]*: */, "", list)
  if ($1 == "room") { room = $2; sub(/:$/, "", room); allowed[room] = list }
  if ($1 == "main:") of_mains = list
  if ($1 == "except") exceptions[$2, $3] = 1
}

function folder(path) { sub(/\/[^\/]*$/, "", path); return path }

# matches(LIST, ROOM) -- is the room named in the list, as itself or by X/*?
function matches(list, room,    n, i, names, base) {
  n = split(list, names, " ")
  for (i = 1; i <= n; i++) {
    if (names[i] == room)
      return 1
    base = names[i]
    if (sub(/\/\*$/, "", base) && (room == base || index(room, base "/") == 1))
      return 1
  }
  return 0
}

# may_use(FILE, ROOM) -- may the file use this room, which is not its own?
function may_use(file, room) {
  return matches(allowed[folder(file)], room) || (file ~ /-main\.c$/ && matches(of_mains, room))
}
