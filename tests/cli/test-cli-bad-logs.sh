#!/bin/sh
# Each command that reads logs, with each kind of file that is none, or a part of one: a status and a line of ours that
# names the file, and no output file.  With a good log beside it that one is read.  On a full disk it says so.
. "${srcdir:-.}/tests/cli/lib.sh"

mono=$logs/all-v17.mlpd
gzip -dc "$logs/ghc-ticks.eventlog.gz" >ghc.eventlog
mkdir folder
: >empty
echo 'Dear reader, this is a letter.' >letter
head -c 10 "$mono" >begun
head -c 10 ghc.eventlog >begun.eventlog
# The end of the process table's last part, and a byte in the middle that is another.
head -c 3000 "$mono" >cut.mlpd
head -c 3000 ghc.eventlog >cut.eventlog
cp "$mono" damaged.mlpd
overwrite damaged.mlpd 900 '\0377\0377\0377\0377\0377\0377\0377\0377\0377\0377\0377\0377'
cp ghc.eventlog damaged.eventlog
overwrite damaged.eventlog $(($(wc -c <ghc.eventlog) - 300)) '\0377\0376\0375\0374'
head -c 32 "$mono" >header.mlpd

# bad FILE: the command with it.
bad ()
{
  rm -rf made made.*
  called=$(echo "$command" | sed "s/LOG/$1/")
  # shellcheck disable=SC2086
  timeout 20 "$proflog" $called >out 2>err </dev/null
  status=$?
  context="proflog $called"
  test "$status" -le 4 && ! grep -q "see 'proflog" err || fail "$context: status $status"
  ! grep -q 'CRITICAL\|WARNING\|runtime error' err || fail "$context: $(cat err)"
  case $1 in
  cut.* | damaged.* | header.*) return ;;
  begun*) test "$status" -ge 2 ;;
  *) test "$status" -ge 3 ;;
  esac || fail "$context: status $status"
  cat out err >all
  grep -q "${1%.*}" all || fail "$context: no line names it"
  test ! -e made || fail "$context: made has $(wc -c <made) bytes"
  checks=$((checks + 1))
}

cat >commands <<'END'
report LOG
report --format json --verbose LOG
report --strict --by method LOG
report --lines --traces --format html LOG
report --interval 1ms LOG good
info --format csv LOG
check LOG
check --format json LOG good
stats LOG
dump LOG
dump --format jsonl --strict LOG good
show --raw-text LOG
show --order file LOG
show LOG good
validate all LOG
stacks LOG
stacks --format json LOG
diff LOG good
diff good LOG
diff LOG -- good
heap LOG
heap histogram LOG
heap dominators LOG
heap paths LOG 0x1
heap refs LOG 0x1
heap object LOG 0x1
heap unreachable LOG
heap diff LOG 0 1
heap growth LOG
heap leaks LOG
flame LOG -o made
flame --cost calls --by-thread LOG -o made
flame --diff LOG good -o made
flame --diff good LOG -o made
heatmap LOG -o made
heatmap good LOG -o made
export --format folded LOG -o made
export --format folded --source allocations LOG -o made
export --format speedscope LOG -o made
export --format callgrind LOG -o made
export --format pprof LOG -o made
export --format chrome LOG good -o made
export --format perfetto LOG -o made
export --format firefox LOG -o made
export --format hprof LOG -o made
export --format heaptrack LOG -o made
export --format heapsnapshot LOG -o made
convert --to ghc LOG -o made
convert --to mono LOG -o made
repair LOG -o made
cut --time-range 0~50% LOG -o made
cut --time-range 1ms~2ms LOG -o made
anonymize LOG -o made
merge good LOG -o made
simulate threads LOG
simulate tasks LOG
END

while read -r command; do
  cp "$mono" good
  for file in nosuch folder letter begun cut.mlpd damaged.mlpd header.mlpd; do
    bad "$file"
  done
  cp ghc.eventlog good
  for file in nosuch empty begun.eventlog cut.eventlog damaged.eventlog; do
    bad "$file"
  done
done <commands

if test -x "$top_builddir/proflog-query"; then
  for file in nosuch folder empty letter; do
    run 3 query --format csv "$file" 'SELECT 1 FROM events'
    says err "${file%.*}"
    run 3 query --format csv good "$file" 'SELECT count(*) FROM logs'
    says err "${file%.*}"
  done
fi

# What people take for a log has its name.
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n' >pointer.eventlog
printf 'JOB "app +RTS -hT"\nDATE "Sun"\nSAMPLE_UNIT "seconds"\n' >app.hp
printf '\n<!DOCTYPE html>\n<html><body>Sign in</body></html>\n' >page.mlpd
while read -r file words; do
  for command in report info stats show 'validate threads' 'cut --time-range 0~1'; do
    # shellcheck disable=SC2086
    run 3 $command "$file"
    says err "$words"
  done
  run 3 info - <"$file"
  says err "$words"
done <<END
pointer.eventlog git lfs pull
app.hp a heap profile of GHC (.hp)
page.mlpd a page of HTML
END
done_checks
