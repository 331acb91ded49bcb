#!/bin/sh
# Pages of reports: well-formed, with the figures of JSON, without a link to anything else; names stay names.
. "${srcdir:-.}/tests/cli/lib.sh"
need python3
figures="$tests/cli/html-figures.py"

set -- "$logs"/*.mlpd "$logs"/*.mlpd.gz "$logs"/*.eventlog "$logs"/*.eventlog.gz
number=0 list=
# both STATUS ARGUMENT...: the page and the JSON of a command, for the comparison below.
both ()
{
  status_of_both=$1
  shift
  number=$((number + 1))
  run_into $number.html "$status_of_both" "$@" -q --format html --limit 0
  run_into $number.json "$status_of_both" "$@" -q --format json
  list="$list $number.html $number.json"
}
for file; do
  both 0 report --traces --verbose "$file"
done
both 0 info "$logs/all-v17.mlpd"
both 0 info "$logs/ghc-collect.eventlog.gz"
both 0 heap list "$logs/stock-heapshot.mlpd.gz"
both 0 heap histogram "$logs/stock-heapshot.mlpd.gz"
both 0 heap diff "$logs/stock-heapshot.mlpd.gz" 1 3
both 0 report --reports=tree --source=calls "$logs/module-calls.mlpd.gz"
python3 "$figures" $list >compared 2>err || fail "pages differ from JSON"
test "$(cat compared)" -gt 30000 || fail "only $(cat compared) figures were compared"

# Findings come first, with their command.
run 0 report --format html "$logs/stock-counters.mlpd.gz"
awk '/<h2/ { print; exit }' out >first
grep -q '<h2 id="findings">Findings</h2>' first || fail "the first heading is $(cat first)"
says out '<dd data-key="command">proflog run --help</dd>'

# By the name of the output, unless another format is requested; other names are text.
run 0 report -o page.html "$small"
says err 'proflog report: open page.html in a browser'
head -n 1 page.html >out
same_lines out '<!DOCTYPE html>'
run 0 report -q --format text -o text.html "$small"
grep -q '<' text.html && fail "text is a page"
run 0 info -q -o page.txt "$small"
grep -q '<html' page.txt && fail "another name is a page"
run 2 dump --format html "$small"

# 200 rows of a table, or as many as are requested.
run 0 report --reports=calls --format html --limit 2 "$logs/module-calls.mlpd.gz"
test "$(grep -c '^<tr><td' out)" = 2 || fail "not 2 rows"
says out 'more (--limit 0 shows all)</p>'

# Several logs of both formats are one page, with ids of their own.
both_logs="$logs/all-v17.mlpd $logs/ghc-collect.eventlog.gz"
run 0 report -q --format html $both_logs
cp out two.html
test "$(grep -c '<!DOCTYPE' out)" = 1 || fail "not one page"
test "$(grep -c '^<article data-log=' out)" = 2 || fail "not two logs"
for id in gc gc-2; do
  grep -q "<h3 id=\"$id\">GC</h3>" out || fail "no section $id"
done
echo '{}' >none.json
python3 "$figures" two.html none.json 2>&1 | grep -v 'not in JSON' | grep html: && fail "the page of two logs"
# A log that cannot be read has no page.
run 3 report --format html "$work/err"
quiet out

# Names are hostile: those of types and methods, that of the log.
need_built LIBFFI tests/host/proflog-host
name='x"><img src=y onerror=alert(1)>.mlpd'
"$top_builddir/tests/host/proflog-host" --module "$module" --profile="proflog:output=log.mlpd,alloc,calls" \
  --truth truth "$tests/host/scenarios/world.scn" "$tests/cli/hostile.scn" >host.out 2>&1 || fail "the host: $(cat host.out)"
mv log.mlpd "$name"
sections=log,jit,allocations,calls,tree,metadata,threads
run_into hostile.html 0 report -q --format html --traces --reports=$sections "$name"
run_into hostile.json 0 report -q --format json --traces --reports=$sections "$name"
python3 "$figures" hostile.html hostile.json >compared 2>err || fail "names break the page"
grep -q 'onerror=&quot;document.title=&apos;owned&apos;&quot;&gt;' hostile.html || fail "the type has no row"
test "$(grep -c '<script' hostile.html)" = 1 || fail "a name is a script"
grep -q '<img' hostile.html && fail "a name is an image"
# No UTF-8: replaced.
sed 's/Small\.Node/A\xff<b>\x1b\xc2\x85\xe9!/' "$small" >odd
run 0 report -q --format html odd
python3 -c 'import sys; open("out", encoding="utf-8").read()' || fail "the page is not UTF-8"
says out '&lt;b&gt;??'

# The name of a page, and the browser that shows it.
mkdir bin browser
printf '#!/bin/sh\necho "$@" >>"%s/shown"\n' "$work" >bin/xdg-open
chmod +x bin/xdg-open
cp "$logs/stock-alloc.mlpd.gz" app.mlpd.gz
run 0 report --html app.mlpd.gz
says err 'open app.html in a browser'
test ! -s out && grep -q '^<!DOCTYPE html>' app.html || fail "--html writes no page"
run 3 report --html app.mlpd.gz
says err 'File exists (--force replaces it)'
run 0 report --html - <app.mlpd.gz
says out '<!DOCTYPE html>'
run 2 report --html --format json app.mlpd.gz
says err '--html and --open are for a page'
run 2 report --open -o app.txt app.mlpd.gz
says err '--html and --open are for a page'
(PATH=$work/bin:$PATH && export PATH && run 0 report --open app.mlpd.gz -o report.html && test ! -s err) \
  || fail "the page that a browser shows is named"
(PATH=$work/bin:$PATH && export PATH && run 0 flame --cost alloc --force --open app.mlpd.gz) || fail "flame --open"
for attempt in 1 2 3 4 5 6 7 8 9 10; do
  test "$(sort shown 2>/dev/null | tr '\n' ' ')" = 'app.html report.html ' && break
  sleep 0.2
done
test "$attempt" != 10 || fail "the browser got $(cat shown)"
mv bin/xdg-open browser
env PATH="$work/browser/none" "$proflog" report --open --force app.mlpd.gz >out 2>err || fail "no browser"
says err 'xdg-open'
says err 'open app.html in a browser'
done_checks
