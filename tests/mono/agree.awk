# agree.awk -- compares two files of "key tab value [tab off]" lines.  From the environment: `a` and
# `b` are the names of their readers, `keys` which keys are compared, `unwritten` which of them may be
# missing in one.  0 is the same as nothing.  With a `mode`, the first reader is mprof-report:
#
#   announced  It looks up an object's type where the object stands, and when the type is only
#              announced later, in another thread's buffer, it has "unresolved class (nil)" for it,
#              for ever.  So each type may have fewer objects than in the other reader, as many in
#              all as are unresolved.
#   reused     An address of a type stands for another one after its domain was unloaded, which it
#              does not see: no types are compared.
#
# It adds the sizes of compiled code up in 32 bits.

function is_type (key) { return key ~ /(allocations|heapshots\[[0-9]+\])\.types\[.*\]\.(objects|bytes)$/ }

# All types together: of allocations, or of a shot.
function all_types (key,    shot)
{
  shot = ""
  if (match (key, /^heapshots\[[0-9]+\]/))
    shot = substr (key, 1, RLENGTH)
  return shot (key ~ /objects$/ ? " objects" : " bytes")
}

function wrapped (value)
{
  value -= 4294967296 * int (value / 4294967296)
  return value < 0 ? value + 4294967296 : value
}

function is_exact (x) { return x > -9007199254740992 && x < 9007199254740992 }

# Sums modulo 2^64 are more than awk's numbers hold, so they are compared as text.
function same (key, x, y, off)
{
  if (x "" == y "" || is_exact(x) && is_exact(y) && x + 0 == y + 0)
    return 1
  if (x == "" && y + 0 == 0 || y == "" && x + 0 == 0)
    return 1
  if (key == "jit.code_bytes")
    return wrapped(x) == wrapped(y)
  return off > 0 && x - y <= off && y - x <= off
}

BEGIN {
  a = ENVIRON["a"]; b = ENVIRON["b"]; keys = ENVIRON["keys"]; unwritten = ENVIRON["unwritten"]
  mode = ENVIRON["mode"]
}

FNR == 1 { file++ }

# Shots are numbered from the first one on, whatever its number is.
{
  key = $1
  if (match (key, /^heapshots\[[0-9]+\]/)) {
    shot = substr (key, 11, RLENGTH - 11) + 0
    if (!(file in first))
      first[file] = shot
    key = "heapshots[" (shot - first[file]) "]" substr (key, RLENGTH + 1)
  }
  # Code of a wrapper is announced for the method, too: one of them has the hits.
  if (key ~ /^samples\.methods/)
    sub (/\[\(wrapper managed-to-native\) /, "[", key)
  if (key !~ keys)
    next
  seen[key]
  # Several entries can have the same name.  A single one stays as it is written.
  value = $2
  if ((file, key) in entry)
    value = sprintf ("%.0f", entry[file, key] + $2)
  entry[file, key] = value
  off[key] += $3
}

END {
  for (key in seen) {
    if (key ~ unwritten && !((1, key) in entry && (2, key) in entry))
      continue
    left = entry[1, key]
    right = entry[2, key]
    if (mode != "" && is_type(key)) {
      if (mode == "reused")
        continue
      if (key ~ /types\[unresolved class /) {
        unresolved[all_types(key)] += left
        continue
      }
      fewer[all_types(key)] += right - left
      if (left + 0 <= right + 0)
        continue
    }
    compared++
    if (!same(key, left, right, off[key])) {
      printf "%s: %s %s, %s %s\n", key, a, left == "" ? "nothing" : left,
             b, right == "" ? "nothing" : right
      bad++
    }
  }
  for (types in fewer) {
    compared++
    if (fewer[types] != unresolved[types] + 0) {
      printf "%s of types: %s has %d fewer than %s, and %d unresolved\n", types, a, fewer[types], b,
             unresolved[types]
      bad++
    }
  }
  printf "%s and %s: %d compared, %d differ\n", a, b, compared, bad
  exit bad != 0 || compared == 0
}
