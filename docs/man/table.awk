# table.awk -- reads the lines of `proflog --complete` (decoder/cli/main.c) into arrays: the pages are made of these.
BEGIN { FS = "\t" }
$1 == "command" { commands[++n_commands] = $2; group[$2] = $3; summary[$2] = $4 }
$1 == "usage" { usage[$2, ++n_usage[$2]] = $3 }
$1 == "text" { text[$2, ++n_text[$2]] = $3; whole_text[$2] = whole_text[$2] " " $3 }
$1 == "example" { purpose[$2, ++n_examples[$2]] = $3; example[$2, n_examples[$2]] = $4 }
$1 == "option" {
  n = ++n_options[$2]
  option[$2, n] = $3; letter[$2, n] = $4; kind[$2, n] = $5; argument[$2, n] = $6; sentence[$2, n] = $7
  at[$2, $3] = n
  uses[shared_key($2, n)]++
}
$1 == "value" { values[$2, $3] = values[$2, $3] (values[$2, $3] == "" ? "" : ", ") $4 }
$1 == "module" { module_name[++n_module] = $3; module_form[n_module] = $4; module_text[n_module] = $5 }

# An option that commands share has the same beginning of its sentence in all.
function shared_key(command, n) {
  return option[command, n] SUBSEP argument[command, n] SUBSEP substr(sentence[command, n], 1, 30)
}

# Whether proflog(1) describes the option, for all commands.
function is_shared(command, n) {
  return uses[shared_key(command, n)] >= 4
}

# The sentence of an option, with its values if neither the sentence nor the description has them.
function full_sentence(command, n,   all, names, i, count) {
  count = split(values[command, option[command, n]], names, ", ")
  for (i = 1; i <= count; i++)
    if (index(sentence[command, n], names[i]) == 0 && index(whole_text[command], names[i]) == 0)
      break
  all = stop(sentence[command, n])
  return count >= 2 && i <= count ? all "  Values: " values[command, option[command, n]] "." : all
}

function capital(words) { return toupper(substr(words, 1, 1)) substr(words, 2) }
function stop(words) { return words ~ /[.:]$/ ? words : words "." }

# Where the text of a line "  NAME  text" of a list begins; 0: it is no such line.
function second_column(line,   name) {
  if (line !~ /^  *[^ ].*  /)
    return 0
  match(line, /^ +/); name = RLENGTH
  return match(substr(line, name + 1), /  +/) ? name + RSTART + RLENGTH : 0
}
