# mprof-text.awk -- brings the text of mprof-report into a form in which equal rows have one order.
#
# awk -v methods=COLUMN -v types=COLUMN -f mprof-text.awk: a line is printed as SECTION, a tab, the line.
# Rows that follow each other with the same figure in the column of their order are sorted by their
# text; so are backtraces of the same number, references, and files, which have no figure.  The order
# of all others stays.  At a cut after 30 rows, those that tie with the last one are left out.

function section_of (line) {
  return line in titles ? titles[line] : line ~ /^Total calls: / ? "call" : ""
}

# Sorts texts[from..to].
function sort_texts (texts, from, to,    i, j, text) {
  for (i = from + 1; i <= to; i++) {
    text = texts[i]
    for (j = i - 1; j >= from && texts[j] > text; j--)
      texts[j + 1] = texts[j]
    texts[j + 1] = text
  }
}

# Sorts each run of texts[1..n] whose keys are the same; an empty key is that of no row.
function sort_runs (texts, keys, n,    i, first) {
  for (first = 1; first <= n; first = i) {
    for (i = first + 1; i <= n && keys[i] == keys[first] && keys[first] != ""; i++)
      ;
    if (i > first + 1)
      sort_texts(texts, first, i - 1)
  }
}

function end_item (    i) {
  if (head == "")
    return
  sort_runs(subs, sub_keys, n_subs)
  for (i = 1; i <= n_subs; i++)
    head = head "\n" subs[i]
  items[++n_items] = head
  item_keys[n_items] = key
  head = ""
  n_subs = 0
}

# Removes the rows that tie with the last of 30, with their snapshot.
function cut_ties (    i, rows) {
  rows = 0
  for (i = n_items; i > 0 && item_keys[i] != ""; i--)
    rows++
  if (cuts && section == "heapshot" && rows == 30) {
    key = item_keys[n_items]
    while (item_keys[n_items] == key)
      n_items--
  }
}

function begin_item (line, new_key) {
  end_item()
  head = section "\t" line
  key = new_key
  if (key == "")
    cut_ties()
}

# The key of a row of the section; empty for other lines.
function row_key (line, next_line,    f) {
  split(line, f)
  if (section == "sample" && line ~ /^\t *[0-9]+ +[0-9]+\.[0-9]+ /)
    return "hits " f[1]
  if (section == "alloc" && line ~ /^ *[0-9]+ +[0-9]+ +[0-9]+ /)
    return "alloc " f[types]
  if (section == "call" && line ~ /^ *[0-9]+ +[0-9]+ +[0-9]+ /)
    return "call " f[methods]
  if (section == "heapshot" && line ~ /^\t *[0-9]+ +[0-9]+ +[0-9]+ /)
    return "shot " f[types]
  if (section == "monitor" && line ~ /^\tLock object /) {
    split(next_line, f)
    return "lock " f[1]
  }
  return section == "metadata" && line ~ /^\t\t/ ? "file" : ""
}

function add_line (line, next_line,    f, k) {
  split(line, f)
  k = row_key(line, next_line)
  if (k != "")
    begin_item(line, k)
  else if (line ~ /^\t[0-9]+ [a-z]+ from:$/ || line ~ /^\t\t[0-9]+ references from: /) {
    subs[++n_subs] = section "\t" line
    sub_keys[n_subs] = f[1]
  } else if (line ~ /^\t\t/ && section != "counters" && n_subs > 0)
    subs[n_subs] = subs[n_subs] "\n" section "\t" line
  else if (line ~ /^\t\t/ && section != "counters")
    head = head "\n" section "\t" line
  else
    begin_item(line, "")
}

BEGIN {
  titles["Mono log profiler data"] = "header"
  titles["JIT summary"] = "jit"
  titles["GC summary"] = "gc"
  titles["Statistical samples summary"] = "sample"
  titles["Allocation summary"] = "alloc"
  titles["Method call summary"] = "call"
  titles["Metadata summary"] = "metadata"
  titles["Exception summary"] = "exception"
  titles["Monitor lock summary"] = "monitor"
  titles["Thread summary"] = "thread"
  titles["Domain summary"] = "domain"
  titles["Context summary"] = "context"
  titles["Heap shot summary"] = "heapshot"
  titles["Counters:"] = "counters"
  n_lines = n_items = n_subs = 0
  head = ""
  section = "none"
}

{ lines[++n_lines] = $0 }

END {
  for (i = 1; i <= n_lines; i++) {
    # An empty line belongs to what it stands before.
    next_section = section_of(lines[i] == "" && i < n_lines ? lines[i + 1] : lines[i])
    if (next_section != "") {
      end_item()
      cut_ties()
      section = next_section
    }
    add_line(lines[i], i < n_lines ? lines[i + 1] : "")
  }
  end_item()
  cut_ties()
  sort_runs(items, item_keys, n_items)
  for (i = 1; i <= n_items; i++)
    print items[i]
}
