#!/bin/sh
# The report of the smallest program fits a screen of 24 lines of 80 columns; nothing is lost by that: with
# --raw each section and each exact figure is there.
. "${srcdir:-.}/tests/mono/lib.sh"
compile hello
cd "$work" || exit 1

"$proflog" run -o hello.mlpd mono "$programs/hello.exe" >out 2>err || fail "it was not recorded"
log=hello.mlpd
read_figures
"$proflog" report "$log" >out 2>err || fail "no report"
quiet err
test "$(wc -l <out)" -le 24 || fail "$(wc -l <out) lines"
awk 'length > 80' out >wide
test ! -s wide || fail "wide lines: $(cat wide)"
# On a terminal of this size it is the same text, and there is no pager.
if has script; then
  SHELL=/bin/sh PAGER='echo paged; cat' script -qec "stty cols 80 rows 25; '$proflog' report --color=never $log" \
    /dev/null </dev/null | tr -d '\r' >typed
  same typed out
fi
for text in "Compiled methods $(figure jit.methods)" "Events $(figure log.events)" "Name $log"; do
  says out "$text"
done
"$proflog" report --raw "$log" >raw || fail "no exact report"
says raw "  Code bytes           $(figure jit.code_bytes)"
says raw "  Bytes                $(wc -c <"$log")"
says raw "  Architecture "
for section in CPU Log JIT GC Metadata Threads Domains; do
  grep -q "^$section\$" raw || test "$section" = CPU || fail "--raw: no $section"
done
echo "$checks checks"
