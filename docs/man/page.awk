# page.awk -- writes a manual page from the table (table.awk) and the parts that are written by hand.
#
#   awk -f table.awk -f page.awk -v page=NAME -v parts=FOLDER [-v events=FILE] TABLE
#
# FOLDER/NAME.man has what the table does not have: text for the end of DESCRIPTION, then sections.  Its
# directives are comments:
#
#   .\" see PAGE(N), ...     for SEE ALSO
#   .\" name SECTION TITLE   of a page that is not that of a command
#   .\" add KEY [COMMAND...] what follows, up to the next directive, stands below the option or the name of a
#                            list that KEY is; in options.man, which all pages share, of these commands or else
#                            in proflog(1)
#   .\" end                  of what is added
#   .\" include NAME         FOLDER/NAME.man
#   .\" commands, .\" options --NAME..., .\" module-options, .\" events FILE
#                            the table's
END {
  read_parts(parts "/options.man", 1)
  read_parts(parts "/" page ".man", 0)
  if (page == "proflog") write_overview()
  else if (page in group) write_command(page)
  else write_other()
  for (key in added)
    if (!(key in used) && (!(key in is_general) || page == "proflog"))
      fail(".\\\" add " key " belongs to nothing")
  exit failed
}

function fail(words) { print "page.awk: " page ": " words >"/dev/stderr"; failed = 1 }

# ---- the parts ----

function read_parts(file, is_options,   line, words, n, i, current) {
  while ((getline line <file) > 0) {
    if (line ~ /^\.\\" add /) {
      n = split(line, words, " ")
      current = words[3]
      if (is_options && n > 3) {
        for (i = 4; i <= n && words[i] != page; i++);
        if (i > n) current = "-"
      } else if (is_options) {
        if (page != "proflog") current = "-"
        else is_general[current]
      }
      while (current in added) current = current " "
      if (current != "-") added[current] = ""
      continue
    }
    if (line ~ /^\.\\" end$/) { current = ""; continue }
    if (line ~ /^\.\\" name /) { title_section = substr(line, 10, 1); title = substr(line, 12); continue }
    if (line ~ /^\.\\" see /) { see = substr(line, 9); continue }
    if (current != "") { if (current != "-") added[current] = added[current] line "\n"; continue }
    if (line ~ /^\.\\" include /) { read_parts(parts "/" substr(line, 13) ".man", 0); continue }
    if (line ~ /^\.SH/) has_section = 1
    if (has_section) sections = sections line "\n"
    else head = head line "\n"
  }
  close(file)
}

# Prints what is added to an option or a name.
function write_added(key) {
  while (key in used) key = key " "
  if (!(key in added)) return
  used[key]
  printf "%s", added[key]
}

# ---- roff ----

# A word, and what in it stands for itself: an option is bold.
function roff_word(word,   hyphens) {
  gsub(/\\/, "\\e", word)
  gsub(/'/, "\\(aq", word); gsub(/`/, "\\(ga", word); gsub(/\^/, "\\(ha", word); gsub(/~/, "\\(ti", word)
  if (word ~ /[a-zA-Z0-9]-/ && word ~ /[:=\/_|@%]|[a-z][A-Z]|\.[a-z]/) gsub(/-/, "\\-", word)
  gsub(/±/, "\\(+-", word); gsub(/"/, "\\(dq", word)
  if (word ~ /^(\\\([a-z][a-z])*[(\[]*-/ || word ~ /--/) gsub(/-/, "\\-", word)
  if (match(word, /\\-\\-[a-z]([a-z]|\\-)*/))
    word = substr(word, 1, RSTART - 1) "\\fB" substr(word, RSTART, RLENGTH) "\\fR" substr(word, RSTART + RLENGTH)
  return word
}

# Prints text, wrapped; a line does not begin with a request.
function write_text(words,   list, n, i, line, word) {
  n = split(words, list, " ")
  line = ""
  for (i = 1; i <= n; i++) {
    word = roff_word(list[i])
    if (line != "" && length(line) + 1 + length(word) > 108) { print line; line = "" }
    if (line == "" && word ~ /^[.]/) word = "\\&" word
    line = line == "" ? word : line (ends_sentence(list[i - 1], list[i]) ? "\n" : " ") word
    if (line ~ /\n/) { print substr(line, 1, index(line, "\n") - 1); line = substr(line, index(line, "\n") + 1) }
    if (line ~ /^[.]/) line = "\\&" line
  }
  if (line != "") print line
}

function ends_sentence(word, following) { return word ~ /[a-z)][.:]$/ && following ~ /^[A-Z]/ && word !~ /^(e\.g|i\.e|mono)\.$/ }

function literal(word) {
  gsub(/\\/, "\\e", word); gsub(/-/, "\\-", word); gsub(/'/, "\\(aq", word); gsub(/`/, "\\(ga", word)
  gsub(/\^/, "\\(ha", word); gsub(/~/, "\\(ti", word)
  return word ~ /^\./ ? "\\&" word : word
}

function write_head(section, title, what) {
  printf ".\\\" Written by make update-docs of the tables of commands and docs/man/parts; do not edit it.\n"
  printf ".TH %s %s \"\" \"proflog\" \"%s\"\n", toupper(title), section,
         section == 1 ? "User Commands" : section == 5 ? "File Formats" : "Miscellanea"
  print ".nh\n.ad l"
  printf ".SH NAME\n%s \\- %s\n", literal(title), what
}

# ---- lists ----

function write_option(command, n,   form) {
  form = (letter[command, n] != "" ? "\\fB" literal(letter[command, n]) "\\fR, " : "") \
         "\\fB" literal(option[command, n]) "\\fR"
  if (argument[command, n] != "")
    form = form (kind[command, n] == "optional" ? "[=\\fI" literal(argument[command, n]) "\\fR]" \
                                                : "=\\fI" literal(argument[command, n]) "\\fR")
  print ".TP\n" form
  write_text(full_sentence(command, n))
  write_added(option[command, n])
}

# A paragraph or a list of a description; paragraphs about the exit status are printed apart.
function write_description(command,   i, line, words, column, name, status, is_first) {
  is_first = 1
  for (i = 1; i <= n_text[command];) {
    line = text[command, i]
    if (line == "") { i++; continue }
    column = second_column(line)
    if (column > 0) {
      name = substr(line, 1, column - 1); sub(/^ +/, "", name); sub(/ +$/, "", name)
      words = substr(line, column)
      for (i++; i <= n_text[command] && text[command, i] ~ /^      / && second_column(text[command, i]) == 0; i++)
        words = words " " text[command, i]
      write_row(name, words)
      is_first = 0
      continue
    }
    words = ""
    for (; i <= n_text[command] && text[command, i] != "" && second_column(text[command, i]) == 0; i++)
      words = words " " text[command, i]
    if (words ~ /^ (The exit status|With --strict the exit)/) { exit_status = exit_status words "\n"; continue }
    if (!is_first) print ".PP"
    is_first = 0
    write_text(words)
  }
}

# "histogram LOG [N]": the first word is the name, the others are its arguments.
function write_row(name, words,   first, rest) {
  first = name; rest = ""
  if (match(name, / (\[|[A-Z][A-Z]+([ |=.]|$))/) && substr(name, RSTART - 1, 1) != ",") { first = substr(name, 1, RSTART - 1); rest = substr(name, RSTART) }
  print ".TP\n\\fB" literal(first) "\\fR" (rest == "" ? "" : "\\fI" literal(rest) "\\fR")
  write_text(capital(stop(words)))
  sub(/[ ,].*/, "", first)
  write_added(first)
}

function write_see(names,   list, n, i) {
  print ".SH SEE ALSO"
  n = split(names, list, /, */)
  for (i = 1; i <= n; i++)
    printf ".BR %s (%s)%s\n", literal(substr(list[i], 1, index(list[i], "(") - 1)),
           substr(list[i], index(list[i], "(") + 1, 1), i < n ? "," : ""
}

# Prints sections; directives among them are replaced.
function write_sections(body,   lines, n, i) {
  n = split(body, lines, "\n")
  for (i = 1; i < n; i++)
    if (lines[i] ~ /^\.\\" commands$/) write_commands()
    else if (lines[i] ~ /^\.\\" options /) write_shared(substr(lines[i], 13))
    else if (lines[i] ~ /^\.\\" module-options$/) write_module_options()
    else if (lines[i] ~ /^\.\\" events$/) write_events()
    else print lines[i]
}

# ---- the page of a command ----

function write_usage(command,   i, line) {
  print ".SH SYNOPSIS"
  for (i = 1; i <= n_usage[command]; i++) {
    line = usage[command, i]
    print (i > 1 ? ".br\n" : "") ".B proflog " literal(command) "\n[\\fIOPTION\\fR...]" (line == "" ? "" : " \\fI" literal(line) "\\fR")
  }
}

function write_command(command,   i, n, shared) {
  write_head(1, "proflog-" command, summary[command])
  write_usage(command)
  print ".SH DESCRIPTION"
  write_description(command)
  printf "%s", head
  print ".SH OPTIONS"
  for (i = 1; i <= n_options[command]; i++)
    if (is_shared(command, i)) shared = 1
    else write_option(command, i)
  if (shared) {
    print ".SS Options of several commands\n.BR proflog (1)\nhas more on these."
    for (i = 1; i <= n_options[command]; i++)
      if (is_shared(command, i)) write_option(command, i)
  }
  write_sections(sections)
  if (sections !~ /\.SH EXIT STATUS/) {
    print ".SH EXIT STATUS"
    n = split(exit_status, lines, "\n")
    for (i = 1; i < n; i++) { write_text(lines[i]); print ".PP" }
    print ".BR proflog (1)\nlists the statuses of all commands."
  }
  print ".SH EXAMPLES"
  for (i = 1; i <= n_examples[command]; i++) {
    if (i > 1) print ".PP"
    write_text(purpose[command, i] ":")
    print ".RS 4\n.nf\n" literal(example[command, i]) "\n.fi\n.RE"
  }
  write_see("proflog(1)" (see == "" ? "" : ", " see))
}

# ---- proflog(1) ----

function write_commands(   i, titles, n, g) {
  print ".SH COMMANDS"
  for (i = 1; i <= n_commands; i++)
    if (!(group[commands[i]] in titles)) { titles[group[commands[i]]]; order[++n] = group[commands[i]] }
  for (g = 1; g <= n; g++) {
    print ".SS " order[g]
    for (i = 1; i <= n_commands; i++)
      if (group[commands[i]] == order[g]) {
        print ".TP\n.BR proflog\\-" literal(commands[i]) " (1)"
        write_text(capital(summary[commands[i]]) ".")
      }
  }
}

# The first command that has the option as most have it.
function first_of(name,   c, best, n) {
  for (c = 1; c <= n_commands; c++)
    if (((commands[c], name) in at) && is_shared(commands[c], at[commands[c], name])) {
      n = same[commands[c], name] = count_same(commands[c], name)
      if (best == "" || n > same[best, name]) best = commands[c]
    }
  return best
}

function count_same(command, name,   c, n) {
  for (c = 1; c <= n_commands; c++)
    n += sentence[commands[c], at[commands[c], name]] == sentence[command, at[command, name]]
  return n
}

function write_shared(names,   list, n, i, command) {
  n = split(names, list, " ")
  for (i = 1; i <= n; i++) {
    command = first_of(list[i])
    if (command == "") { fail(list[i] " is no option of several commands"); continue }
    write_option(command, at[command, list[i]])
    placed[list[i]]
  }
}

function write_overview(   c, i) {
  write_head(1, "proflog", "record Mono programs, and read profiler logs of Mono and eventlogs of GHC")
  print ".SH SYNOPSIS\n.B proflog\n.I COMMAND\n[\\fIOPTION\\fR...] [\\fIARGUMENT\\fR...]\n.br\n.B proflog help\n[\\fICOMMAND\\fR]"
  write_sections(sections)
  for (c = 1; c <= n_commands; c++)
    for (i = 1; i <= n_options[commands[c]]; i++)
      if (is_shared(commands[c], i) && !(option[commands[c], i] in placed))
        fail("proflog.man does not place " option[commands[c], i])
  see = ""
  for (c = 1; c <= n_commands; c++) see = see "proflog-" commands[c] "(1), "
  write_see(see "proflog-module(7), proflog-ghc(7), proflog-eventlog(3), mlpd(5), ghc-eventlog(5), mono(1), mprof-report(1)")
}

# ---- other pages ----

function write_module_options(   i) {
  for (i = 1; i <= n_module; i++) {
    print ".TP\n\\fB" literal(module_form[i]) "\\fR"
    write_text(capital(stop(module_text[i])))
    write_added(module_name[i])
  }
}

# Of docs/FORMAT-events.md: the name of each event, and the sentences below it.
function write_events(   line, name) {
  while ((getline line <events) > 0)
    if (line ~ /^## /) { name = substr(line, 4); sub(/^[0-9]+ /, "", name) }
    else if (line != "" && name != "" && line !~ /^\|/) {
      sub(/  (Event byte|Size|Metadata|Tag).*/, "", line)
      print ".TP\n.B " literal(name)
      write_text(line)
      name = ""
    }
  close(events)
}

function write_other() {
  write_head(title_section, page_name(), title)
  write_sections(sections)
  write_see(see)
}

function page_name() { return page == "module" ? "proflog-module" : page }
