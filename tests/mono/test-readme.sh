#!/bin/sh
# README: at most 150 lines, its first 40 have what a newcomer looks for, its links lead somewhere, and its commands
# work as they stand there.
. "${srcdir:-.}/tests/mono/lib.sh"
readme=$tests/../README.md
PATH=$top_builddir:$PATH
export PATH

test "$(wc -l <"$readme")" -le 150 || fail "README has $(wc -l <"$readme") lines"
head -n 40 "$readme" >"$work/top"
for word in '!\[' '^## Install' 'is slow' 'leaks memory' 'in production' Haskell 'what-it-costs' '#limits' tutorial; do
  grep -q -e "$word" "$work/top" || fail "the first 40 lines of README have no '$word'"
done
grep -o '](\([^)#:]*\))' "$readme" | sed 's/^](//; s/)$//' | sort -u >"$work/links"
while read -r link; do
  test -e "$tests/../$link" || fail "README links to $link"
done <"$work/links"

# Of the table of jobs, and of the excerpts.
{
  sed -n '/^| job/,/^$/p' "$readme" | grep -o '`proflog[^`]*`' | tr -d '`'
  sed -n 's/^\$ \(proflog.*\)/\1/p' "$readme"
} >"$work/commands"
test "$(wc -l <"$work/commands")" -ge 18 || fail "few commands: $(cat "$work/commands")"

cd "$work" || exit
mcs -nologo -out:app.exe "$tests/../examples/quickstart.cs" || fail "examples/quickstart.cs"
# The tutorial finds its own one by its name, perhaps at the same time.
mcs -nologo -out:readme.exe "$tests/../docs/tutorial/programs/Service.cs" || fail "Service.cs"
if has ghc; then
  echo 'main = print (sum [1 .. 1000000 :: Int])' >app.hs
  ghc -v0 -eventlog -rtsopts app.hs -o app || fail "app.hs"
else
  printf '#!/bin/sh\n' >app
  cp "$logs/small.eventlog" app.eventlog
fi
proflog run -o old.mlpd mono app.exe >/dev/null 2>&1
proflog run -o new.mlpd mono app.exe >/dev/null 2>&1
mono readme.exe 100 >/dev/null &
service=$!
trap 'kill $service 2>/dev/null; rm -rf "$work"' EXIT
sleep 1

while IFS= read -r command; do
  case $command in
    *' -o app.eventlog ./app') has ghc || continue ;;
  esac
  # What would run until somebody ends it; the process has another number here.
  limit=
  case $command in
    *'attach PID'* | *'top '* | *'serve '* | *' --every '*) limit='timeout -s INT 3' ;;
  esac
  command=$(echo "$command" | sed "s/PID/$service/; s/31913/$service/")
  sh -c "$limit $command" >out 2>err </dev/null
  status=$?
  # A finding is status 1 where that is requested.
  case "$status $command" in
    0* | '124 '* | '130 '* | '1 '*--exit-code* | '1 '*--fail-above*) ;;
    *) fail "$command ended with $status" ;;
  esac
  checks=$((checks + 1))
done <"$work/commands"
echo "$checks commands"
