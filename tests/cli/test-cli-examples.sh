#!/bin/bash
# Each example of the help works: it is run as it stands, in a folder that has the files of its names.  Programs and
# logs are those of the simulated host (tests/cli/examples.scn).  Process ids, names of programs that run, sockets and
# ports are replaced, as other tests have their own.
. "${srcdir:-.}/tests/cli/lib.sh"
need_built LIBFFI tests/host/proflog-host

use_runtime_dir
host=$top_builddir/tests/host/proflog-host
world=$tests/host/scenarios/world.scn
scenario=$tests/cli/examples.scn
export HOME=$work PROFLOG_MODULE_DIR=$module_dir
run 0 --complete
grep '^example' out >examples
test "$(wc -l <examples)" -ge 100 || fail "few examples"

# ---- programs of the examples ----

mkdir bin files files/logs
export PATH=$work/bin:$top_builddir:$PATH
# mono OPTION... SCENARIO ARGUMENT...: the simulated host, also with options of the environment.
cat >bin/mono <<END
#!/bin/sh
for word in \$MONO_ENV_OPTIONS "\$@"; do
  case \$word in
  --profile=*) profile=\${word#--profile=} ;;
  -*) ;;
  *) program=\$word; break ;;
  esac
done
exec "$host" --module "$module" --profile="\$profile" --truth /dev/null --scripted-clock "$world" "\$program"
END
printf '#!/bin/sh\nmono app.exe\n' >files/start-app.sh
printf '#!/bin/sh\nshift\n"$@"\n' >bin/ssh
printf '#!/bin/sh\necho "<svg>"; cat\n' >bin/flamegraph.pl
chmod +x bin/* files/start-app.sh
cp "$scenario" files/app.exe

# simulate PROFILE SCENARIO: runs the host.
simulate ()
{
  "$host" --module "$module" --profile="proflog:$1" --truth /dev/null --scripted-clock "$world" "$2" >"$work/host.out" 2>&1
}

# ---- files of the examples ----

simulate output=files/app.mlpd,alloc,calls,heapshot,format=17 "$scenario" || fail "the host: $(cat host.out)"
for name in before after a b client old new old.1 old.2 new.1 new.2 logs/app; do
  cp files/app.mlpd "files/$name.mlpd"
done
gzip -c files/app.mlpd >files/app.mlpd.gz
run 0 cut --time-range 0~5 files/app.mlpd -o files/first-part.mlpd
run 0 cut --time-range 5~ files/app.mlpd -o files/second-part.mlpd
gunzip -c "$logs/ghc-heap-hT.eventlog.gz" >files/app.eventlog
gunzip -c "$logs/ghc-restart.eventlog.gz" >files/restarted.eventlog
for name in client server a b; do
  cp files/app.eventlog "files/$name.eventlog"
done
head -c 20000 files/app.eventlog >files/killed.eventlog
gzip -c files/killed.eventlog >files/cut.eventlog.gz
echo 'SELECT count(*) FROM events; SELECT name FROM threads;' >files/questions.sql
# A program that was killed, whose log went through a pipe.
printf 'fire gc_allocation strings[1]\nkill 9\n' >killed.scn
simulate "output=|dd of=files/piped.mlpd status=none,alloc" killed.scn 2>/dev/null
spool=$(echo "$XDG_RUNTIME_DIR"/proflog-*.spool)
test -f "$spool" || fail "the program left no crash buffer"
cp "$spool" spool
ln -s "$module" files/libmono-profiler-proflog.so

# ---- kinds of examples ----

# Whether the status may be 1: budgets, what is missing here, what leaks.
may_end_with_1 ()
{
  case $1 in *--fail-above* | *--exit-code* | "proflog doctor"* | "proflog check"*) return 0 ;; *) return 1 ;; esac
}

# Why an example is not run, if so: its command line is parsed only.
reason_to_parse ()
{
  case $1 in
  *haskell-program*) echo "a program of GHC is needed: tests/ghc" ;;
  "proflog attach"* | "proflog detach"*) echo "Mono is needed, and the right to trace it: tests/mono/test-attach.sh" ;;
  "proflog stacks --every"* | "proflog stacks 4711") echo "Mono is needed, with --wall: tests/mono/test-thread-stacks.sh" ;;
  *"--to clickhouse"*) echo "ClickHouse is needed: tests/push" ;;
  *"--to otlp"* | *"--to pyroscope"*) echo "a server is needed: tests/push" ;;
  *libmono-profiler-mine.so*) echo "it is a module of the user: tests/replay" ;;
  *) return 1 ;;
  esac
}

# What an example prints that ends by Ctrl-C only.
prints_before_the_end ()
{
  case $1 in
  *"proflog serve"*) echo http://127.0.0.1 ;;
  "proflog follow --format json 4711"*) echo '"kind"' ;;
  "proflog follow client.exe"* | "proflog top client.exe"* | "proflog top 4711") echo . ;;
  "proflog follow --reconnect"*) echo alloc ;;
  *) return 1 ;;
  esac
}

# ---- programs that run ----

started=
end_programs ()
{
  for id in $started; do
    kill "$id" 2>/dev/null
    wait "$id" 2>/dev/null
  done
  started=
}
trap 'end_programs; rm -rf "$work"' EXIT

# start_program NAME OPTIONS: one that runs until it is killed; its id is $program.
start_program ()
{
  { sed '/^shutdown/d' "$scenario"
    printf 'forever\n  fire gc_allocation strings[1]\n  collect 0\n  sleep 20\nend\n'; } >"$work/$1"
  "$host" --module "$module" --profile="proflog:$2" --truth /dev/null --scripted-clock "$world" "$work/$1" >"$work/host.out" 2>&1 &
  program=$!
  started="$started $program"
  wait_for test -S "$XDG_RUNTIME_DIR/proflog-$program.control"
}

# prepare LINE: starts what it names; $line is what is run for it.  Fails if a tool is missing.
prepare ()
{
  line=${1//\/tmp\//$work/}
  line=${line//9700/0}
  case $line in *"| jq"*) has jq || return 1 ;; esac
  case $line in *"| dot"*) has dot || return 1 ;; esac
  case $line in
  *4711.spool*) cp "$work/spool" "$spool"; line=${line//\/run\/user\/1000\/proflog-4711.spool/$spool} ;;
  *4711*) start_program service.exe "output=$work/service.mlpd,prepare=alloc+calls,format=17"; line=${line//4711/$program} ;;
  "proflog ctl app.exe"* | "proflog serve --all"*)
    start_program app-$$.exe "output=$work/service.mlpd,prepare=alloc,format=17"
    line=${line//app.exe/app-$$.exe}
    ;;
  *client.exe*)
    start_program client-$$.exe "output=$work/client.mlpd,alloc"
    line=${line//client.exe/client-$$.exe}
    start_program server.exe "output=unix-listen:$work/server.socket,alloc"
    ;;
  "proflog fetch"*)
    rm -f "$work/app.sock"
    case $line in *heap-census*) bytes=22 ;; *) bytes=0 ;; esac
    "$top_builddir/tests/cli/eventlog-socket-peer" "$work/app.sock" "$work/files/app.eventlog" $bytes >/dev/null &
    started="$started $!"
    wait_for test -S "$work/app.sock"
    ;;
  esac
}

# end_at PATTERN: the line is run until its output has this; then all its programs are ended: SIGINT is ignored by what a
# script starts in the background.
end_at ()
{
  : >"$work/out"
  setsid bash -c "$line" >"$work/out" 2>"$work/err" </dev/null &
  watched=$!
  started="$started $watched"
  case $line in *--reconnect*)
    wait_for test -S "$work/app.socket"
    simulate "output=unix:$work/app.socket,alloc" "$scenario" || fail "the host: $(cat "$work/host.out")"
    ;;
  esac
  wait_for grep -q -e "$1" "$work/out"
  kill -- "-$watched" 2>/dev/null
  watched=
}

# ---- the examples ----

ran=0
while IFS=$'\t' read -r _ command _ example; do
  case="an example of $command: $example"
  "$proflog" "$command" --help >/dev/null 2>err || {
    library=$(sed -n 's/.* was built without //p' err)
    test -n "$library" || fail "$command --help"
    leave_out "$library" "is not in this build, so $command cannot be run"
    continue
  }
  if reason=$(reason_to_parse "$example"); then
    eval "set -- ${example#proflog "$command"}"
    run 0 "$command" --help "$@"
    says out "Usage: proflog $command"
    echo "parsed only, as $reason: $example"
    continue
  fi
  rm -rf folder
  cp -r files folder
  cd folder || exit 1
  # What the example writes is not there before.
  target=$(sed -n 's/.* -o \([a-z][a-z.-]*\).*/\1/p' <<<"$example")
  test -z "$target" || rm -rf "$target"
  prepare "$example" || { cd ..; continue; }
  if pattern=$(prints_before_the_end "$example"); then
    end_at "$pattern"
  else
    timeout 60 bash -o pipefail -c "$line" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    test $status = 0 || { test $status = 1 && may_end_with_1 "$example"; } || fail "status $status"
    test -z "$target" || test -s "$target" || test -d "$target" || fail "there is no $target"
  fi
  cd ..
  end_programs
  grep -q Sanitizer err && fail "a sanitizer complains"
  ran=$((ran + 1))
done <examples
case=
test "$ran" -ge 80 || fail "only $ran examples were run"
echo "$ran examples were run"
