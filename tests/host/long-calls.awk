# long-calls.awk -- the calls of `proflog dump FULL`, of which `threshold` selects those that a log with
# calls=TIME has; then, with -v of=short, those that such a log has.  Prints "enter leave method depth" of
# each, in ns since the first call, and "skipped" or "calls" with a number for each thread, by its first call.
function ns (text, at) { at = index (text, "."); return substr (text, 1, at - 1) * 1000000000 + substr (text, at + 1) }
function retain (thread, i) { for (i = 0; i < depth[thread]; i++) kept[frame[thread, i]] = 1 }
$4 == "method-enter" {
  if (first == "")
    first = ns ($2)
  if (!($3 in depth))
    name[$3] = ns ($2) - first
  begin[calls] = ns ($2) - first
  method[calls] = $0; sub (/^[^"]*/, "", method[calls])
  level[calls] = depth[$3] + 0
  owner[calls] = $3
  frame[$3, depth[$3]++] = calls++
}
$4 == "method-leave" || $4 == "method-exc-leave" {
  call = frame[$3, depth[$3] - 1]
  end[call] = ns ($2) - first
  way[call] = $4
  if (end[call] - begin[call] >= threshold)
    retain ($3)
  depth[$3]--
}
$4 == "exception-throw" || $4 == "alloc" { retain ($3) }
$4 == "sample-counters" && match ($0, /index=900000 type=ulong value=[0-9]+/) {
  stated[$3] += substr ($0, RSTART + 30, RLENGTH - 30)
}
END {
  for (i = 0; i < calls; i++)
    if (kept[i] || of == "short")
      print begin[i], end[i], way[i], level[i], method[i]
    else
      skipped[owner[i]]++
  for (thread in name)
    print "thread", name[thread], of == "short" ? stated[thread] + 0 : skipped[thread] + 0
}
