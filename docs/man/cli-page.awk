# cli-page.awk -- writes docs/cli.md from the table (table.awk).
#
#   awk -f table.awk -f cli-page.awk TABLE
END {
  print "# The command line\n"
  wrap("Each command with its arguments, options and examples, and the options of the module.  `make update-docs` generates " \
       "this page from the tables of `decoder/cli`; do not edit it.  The manual pages (`man proflog`, `man proflog-report`, ...) " \
       "have more on each.")
  print "\n| command | purpose |\n|---|---|"
  for (i = 1; i <= n_commands; i++)
    print "| [`" commands[i] "`](#proflog-" commands[i] ") | " cell(summary[commands[i]]) " |"
  for (i = 1; i <= n_commands; i++) write_command(commands[i])
  write_shared()
  write_module()
}

# Text outside of code: names in < > and * stand for themselves.
function plain(words) {
  gsub(/\\/, "\\\\", words); gsub(/</, "\\&lt;", words); gsub(/\*/, "\\*", words)
  gsub(/~/, "\\~", words); gsub(/\|/, "\\|", words); gsub(/\[/, "\\[", words)
  return words
}
function cell(words) { return plain(words) }
function code_cell(words) { gsub(/\|/, "\\|", words); return "`" words "`" }

function wrap(words,   list, n, i, line) {
  n = split(words, list, " ")
  for (i = 1; i <= n; i++) {
    if (line != "" && length(line) + 1 + length(list[i]) > 108) { print line; line = "" }
    # What would begin a list or a title.
    if (line == "" && list[i] ~ /^([-+#>]|[0-9]+\.)$/) list[i] = "\\" list[i]
    line = line == "" ? list[i] : line " " list[i]
  }
  if (line != "") print line
}

function write_command(command,   i, any, shared) {
  print "\n## proflog " command "\n"
  wrap(plain(capital(summary[command])) ".")
  print ""
  for (i = 1; i <= n_usage[command]; i++)
    print "    proflog " command " [OPTION...]" (usage[command, i] == "" ? "" : " " usage[command, i])
  write_description(command)
  for (i = 1; i <= n_options[command]; i++)
    if (is_shared(command, i)) shared = shared (shared == "" ? "" : ", ") "`" option[command, i] "`"
    else any = 1
  if (any) {
    print "\n| option | meaning |\n|---|---|"
    for (i = 1; i <= n_options[command]; i++)
      if (!is_shared(command, i)) write_option(command, i)
  }
  if (shared != "") {
    print ""
    wrap("[Options of several commands](#options-of-several-commands): " shared ".")
  }
  print ""
  for (i = 1; i <= n_examples[command]; i++)
    print (i == 1 ? "```sh\n" : "\n") "# " purpose[command, i] "\n" example[command, i]
  print "```"
}

function write_option(command, n,   form) {
  form = (letter[command, n] == "" ? "" : letter[command, n] ", ") option[command, n]
  if (argument[command, n] != "")
    form = form (kind[command, n] == "optional" ? "[=" argument[command, n] "]" : "=" argument[command, n])
  print "| " code_cell(form) " | " cell(full_sentence(command, n)) " |"
}

# Lists of a description are tables.
function write_description(command,   i, line, column, name, words, in_list) {
  for (i = 1; i <= n_text[command];) {
    line = text[command, i]
    if (line == "") { i++; in_list = 0; continue }
    column = second_column(line)
    if (column > 0) {
      if (!in_list) print "\n| | |\n|---|---|"
      in_list = 1
      name = substr(line, 1, column - 1); sub(/^ +/, "", name); sub(/ +$/, "", name)
      words = substr(line, column)
      for (i++; i <= n_text[command] && text[command, i] ~ /^      / && second_column(text[command, i]) == 0; i++)
        words = words " " text[command, i]
      gsub(/  +/, " ", words)
      print "| " code_cell(name) " | " cell(words) " |"
      continue
    }
    in_list = 0
    words = ""
    for (; i <= n_text[command] && text[command, i] != "" && second_column(text[command, i]) == 0; i++)
      words = words " " text[command, i]
    print ""
    wrap(plain(words))
  }
}

function write_shared(   c, i, key, done) {
  print "\n## Options of several commands\n\n| option | meaning |\n|---|---|"
  # The names once, of the command that has the most of them.
  for (c = 1; c <= n_commands; c++)
    if (best == "" || count_shared(commands[c]) > count_shared(best)) best = commands[c]
  for (i = 1; i <= n_options[best]; i++)
    if (is_shared(best, i)) { write_option(best, i); done[option[best, i]] }
  for (c = 1; c <= n_commands; c++)
    for (i = 1; i <= n_options[commands[c]]; i++)
      if (is_shared(commands[c], i) && !(option[commands[c], i] in done)) {
        write_option(commands[c], i)
        done[option[commands[c], i]]
      }
}

function count_shared(command,   i, n) {
  for (i = 1; i <= n_options[command]; i++) n += is_shared(command, i)
  return n
}

function write_module(   i) {
  print "\n## Options of the module\n"
  wrap("After `mono --profile=proflog:`, separated by commas, or with `proflog run --with`.  [module.md](module.md) describes them.")
  print "\n| option | meaning |\n|---|---|"
  for (i = 1; i <= n_module; i++) print "| " code_cell(module_form[i]) " | " cell(capital(stop(module_text[i]))) " |"
}
