# undocumented.awk -- functions of a header that no comment is above: prints each, and what its first comment lacks.
#
#   awk -v functions="FILE" -f undocumented.awk HEADER
#
# FILE has a name of a function a line.  Declarations without an empty line between them share a comment.
BEGIN {
  while ((getline name < functions) > 0)
    is_function[name] = 1
}
FNR == 1 { in_head = 1 }
in_head {
  head = head $0 "\n"
  if (/\*\//)
    in_head = 0
}
{
  if (/^\/\*/)
    in_comment = 1
  if (in_comment) {
    if (/\*\//) {
      in_comment = 0
      has_comment = 1
    }
    next
  }
  if (/^[ \t]*$/)
    has_comment = 0
  # The name of the function at the beginning of its line, or after its type.
  if (!/^[ \t]/ && !/^#/ && match ($0, /[a-z_0-9]+ \(/)) {
    name = substr ($0, RSTART, RLENGTH - 2)
    if (name in is_function && !has_comment)
      print FILENAME ":" FNR ": " name " has no comment"
  }
  if (/^};?/)
    has_comment = 0
}
END {
  if (head !~ /[Tt]hread/)
    print FILENAME ": the first comment does not state thread safety"
}
