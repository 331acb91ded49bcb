# check-includes.awk -- the rules of scripts/check-includes; reads scripts/include-rules, then the
# files that the variables `files` (product) and `sources` (every .c file) list.

function fail(file, line, rule, text) { printf "%s:%d: %s: %s\n", file, line, rule, text }

function stem(path) { sub(/^.*\//, "", path); sub(/\.[^.]*$/, "", path); return path }

function excepted(rule, file, name) { return ((rule, file) in exceptions) || ((rule, file ":" name) in exceptions) }

/^(room|main:|except) ?/ { read_rule() }
/^library / { library[$2] = 1; name = $2; sub(/:$/, "", name); sub(/^[^:]*: */, ""); users[name] = $0 }

function check_include(file, line, target,    room, other, name) {
  room = folder(file)
  if (!(room in allowed)) {
    if (!((room) in unknown))
      fail(file, line, "include", "the room " room " is not in scripts/include-rules")
    unknown[room] = 1
    return
  }
  if (target ~ /^</) {
    for (name in users)
      if (index(target, name) == 1 && !matches(users[name], room) && !excepted("include", file, target))
        fail(file, line, "include", target " is for " users[name] " only")
    return
  }
  if (target == "config.h")
    return
  other = folder(target)
  if (other == target) # beside the file
    target = (other = room) "/" target
  # A header without a source file of its own declares only types, or what its room shares.
  if (stem(file) != stem(target) && (stem(file) in is_unit) && (stem(target) in is_unit))
    printf "%s %s\n", stem(file), stem(target) > edges
  if (other != room && !may_use(file, other) && !excepted("include", file, target))
    fail(file, line, "include", "\"" target "\" is not allowed; " room " may include: " (allowed[room] == "" ? "nothing else" : allowed[room]))
}

# A header without a source file of its own is that of its room.
function may_declare(header, file) {
  return stem(header) in is_unit ? stem(header) == stem(file) : folder(header) == folder(file)
}

# A prototype may take several lines; its name is what stands before the first parenthesis.
function check_header(file, line, text) {
  if (text ~ /^(static|typedef|extern "C"|#|}|\/|_Static_assert|G_)/ || text !~ /^[A-Za-z_].*[ *][a-z_0-9]+ \(/)
    return
  sub(/ \(.*/, "", text)
  sub(/^.*[ *]/, "", text)
  if (file !~ /-private\.h$/) {
    declared[text] = file
    declared_line[text] = line
  }
}

function read_file(file,    line, text, status, before, name, start, in_comment) {
  line = 0
  before = name = ""
  start = 0
  while ((status = (getline text < file)) > 0) {
    line++
    if (text ~ /^#[ \t]*include/) {
      sub(/^#[ \t]*include[ \t]*/, "", text)
      if (text ~ /^"/) { sub(/^"/, "", text); sub(/".*/, "", text) }
      check_include(file, line, text)
    } else if (file ~ /\.h$/)
      check_header(file, line, text)
    else if (text ~ /^[a-z_][a-z_0-9]* \(/) {
      name = text
      sub(/ \(.*/, "", name)
      if (before !~ /static/ && (name in declared) && !may_declare(declared[name], file) && !excepted("place", declared[name], name))
        fail(declared[name], declared_line[name], "place", name " is defined in " file)
    } else if (text ~ /^{/)
      start = line
    else if (text ~ /^}/ && start) {
      if (line - start - 1 > 100 && !excepted("function", file, name))
        fail(file, start, "function", name " has " line - start - 1 " lines; 100 are allowed")
      start = 0
    }
    before = text
  }
  close(file)
}

function check_config(file,    line, text) {
  line = 0
  while ((getline text < file) > 0) {
    line++
    if (text ~ /^#[ \t]*include/) {
      if (text !~ /"config\.h"/ && !excepted("config", file))
        fail(file, line, "config", "config.h must be the first include")
      break
    }
  }
  close(file)
}

END {
  printf "" > edges
  while ((getline name < files) > 0)
    if (name ~ /\.c$/)
      is_unit[stem(name)] = 1
  close(files)
  # Headers first: they say where functions belong.
  for (pass = 0; pass < 2; pass++) {
    while ((getline name < files) > 0)
      if ((name ~ /\.h$/) == (pass == 0))
        read_file(name)
    close(files)
  }
  while ((getline name < sources) > 0)
    check_config(name)
}
