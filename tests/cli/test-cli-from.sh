#!/bin/sh
# The commands that docs/from-*.md have in place of those of other tools are accepted, and print something.
. "${srcdir:-.}/tests/cli/lib.sh"

PATH=$top_builddir:$PATH
for name in app new; do
  cp "$logs/all-v17.mlpd" $name.mlpd
  gzip -dc "$logs/ghc-sparks-all.eventlog.gz" >$name.eventlog
done
gzip -k app.mlpd
cp app.mlpd output.mlpd

# The second column of tables; a bar within a cell is \|.  Programs are not run here, and no mark is in these logs.
for page in "$tests"/../docs/from-*.md; do
  sed -n 's/\\|/BAR/g; s/^|[^|]*|\([^|]*\)|$/\1/p' "$page"
done | grep -o '`proflog[^`]*`' | tr -d '`' | sed 's/BAR/|/g' | sort -u \
  | grep -v -e '^proflog \(run\|attach\|top\|ctl\)' -e mark: >commands
test "$(wc -l <commands)" -ge 35 || fail "only $(wc -l <commands) commands"
while IFS= read -r command; do
  rm -f app.txt app.html two.html out.eventlog app.perfetto ./*.html output.json
  bash -c "$command" >out 2>err </dev/null || fail "$command"
  test -s out || ls app.txt ./*.html out.eventlog app.perfetto output.json >out 2>/dev/null
  test -s out || fail "$command prints nothing"
  checks=$((checks + 1))
done <commands
done_checks
