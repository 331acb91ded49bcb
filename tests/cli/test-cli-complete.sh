#!/bin/sh
# Completion: `proflog --complete WORD...` proposes what is accepted, and bash, zsh and fish show it.  What is
# expected is from the table, from --help, and from the files of the folder.
. "${srcdir:-.}/tests/cli/lib.sh"

use_runtime_dir
tab=$(printf '\t')
completions=$tests/../completions
read_table

# proposed WORD...: without descriptions and kinds of files, into words.
proposed ()
{
  run 0 --complete "$@"
  quiet err
  grep -v '^:' out | cut -f 1 >words
}

# ---- commands, options, values: all of the table, and nothing else ----

proposed ''
commands=$(sed -n "s/^command$tab\([^$tab]*\)$tab.*/\1/p" table)
echo "$commands" >expected
same words expected
proposed re
same_lines words report repair replay
says out "report${tab}summarize a log"
proposed help conv
same_lines words convert
for command in $commands; do
  proposed "$command" --
  sed 's/=$//' words | sort >listed
  table_column option "$command" 3 | sort >expected
  same listed expected
  # What needs a value ends in '=', so that no blank follows.
  grep '=$' words | sed 's/=$//' | sort >listed
  awk -F '\t' -v c="$command" '$1 == "option" && $2 == c && $5 != "flag" && $5 != "optional" { print $3 }' table \
    | sort >expected
  same listed expected
  awk -F '\t' -v c="$command" '$1 == "value" && $2 == c { print $3 }' table | sort -u >with_values
  while read -r option; do
    awk -F '\t' -v c="$command" -v o="$option" '$1 == "value" && $2 == c && $3 == o { print $4 }' table >expected
    proposed "$command" "$option="
    sed "s/^$option=//" words >listed
    same listed expected
    kind=$(awk -F '\t' -v c="$command" -v o="$option" '$1 == "option" && $2 == c && $3 == o { print $5 }' table)
    test "$kind" = optional || test -z "$kind" || { proposed "$command" "$option" ''; same words expected; }
  done <with_values
done
proposed nothing ''
quiet words
proposed report --frobnicate=
quiet words

proposed report --reports=gc,al
same_lines words --reports=gc,allocations
proposed report --reports gc,al
same_lines words gc,allocations
proposed run --zip=
same_lines words --zip=gzip --zip=zstd
proposed follow --start ''
same_lines words beginning now
proposed run --with heapshot,max
same_lines words heapshot,maxframes= heapshot,max-size=

# known_columns ARGUMENT...: those that a command's message lists, into known.
known_columns ()
{
  "$proflog" "$1" --fields no-column "$2" "$small" $3 >out 2>err
  sed -n 's/.*there are \(.*\)/\1/; s/; \(see\|did you\).*//; s/, /\n/gp' err >>known
}

# Columns are those that are accepted, of heap by any subcommand.
for command in report info stats diff heap; do
  : >known
  if test $command = heap; then
    for subcommand in list histogram dominators unreachable strings collections tasks growth leaks 'paths x' 'refs 0x8' 'object 0x8' 'diff 1 2'; do
      # shellcheck disable=SC2086 # its arguments
      set -- $subcommand
      name=$1
      shift
      known_columns heap "$name" "$*"
    done
  elif test $command = diff; then
    known_columns diff "$small" ''
  else
    known_columns $command --quiet ''
  fi
  proposed $command --fields ''
  sort words >listed
  sort -u known >expected
  test "$(wc -l <expected)" -ge 10 || fail "few columns of $command"
  if test $command = report; then # and those of several logs
    comm -13 expected listed >unknown
    quiet unknown
  else
    same listed expected
  fi
done

# What is proposed is accepted.
proposed report --fail-above ''
"$proflog" report --fail-above help | grep -v '\[' | sed 's/$/=/' >expected
same words expected
proposed cut --event ''
grep -q -x gc-start words || fail 'cut --event does not propose gc-start'
run 0 cut --event="$(paste -s -d , words)" "$logs/ghc-blocks.eventlog.gz" -o all.eventlog

# ---- arguments, by the lines of usage ----

proposed heap ''
table_column word heap 3 >expected
same words expected
says out :logs
says out "leaks${tab}suspected leaks, with the evidence"
proposed heap leaks ''
quiet words
same_lines out :logs
proposed ctl 4711 ''
table_column word ctl 3 | grep -v -x list >expected
same words expected
proposed ctl 4711 mark ''
quiet out
proposed ctl 4711 save ''
same_lines out :files
proposed ctl ''
# Programs of other tests may run, which root sees.
grep -v -x '[0-9]*' words >others
same_lines others list
proposed show ''
same_lines words threads caps
proposed validate calls,mon
same_lines words calls,monitors
proposed simulate t
same_lines words threads threadpool threadrun taskpool tasks
for line in run:commands fetch:files clean:folders report:logs diff:logs merge:logs convert:logs follow:logs; do
  proposed "${line%:*}" ''
  says out ":${line#*:}"
done
# Options of another program, and what follows --.
proposed run mono --
quiet words
proposed report -- --
quiet words
# After the value of an option.
proposed report -n 3 --format json --col
same_lines words --color=
run 0 --complete report --output=logs/a
same_lines out ":files$tab--output="

# ---- a program that runs ----

if test -x "$top_builddir/tests/host/proflog-host"; then
  echo 'await go' >await.scn
  "$top_builddir/tests/host/proflog-host" --module "$module" --profile="proflog:output=running.mlpd" --truth truth \
    "$tests/host/scenarios/world.scn" await.scn >host.out 2>&1 &
  watched=$!
  wait_for test -S "$XDG_RUNTIME_DIR/proflog-$watched.control"
  for command in ctl detach top follow serve; do
    proposed "$command" ''
    grep -q -x "$watched" words || fail "$command does not propose the process $watched"
    says out "$watched$tab"
  done
  proposed attach ''
  grep -q -x "$watched" words && fail "attach proposes a program that is recorded"
  touch go
  wait "$watched" || fail "the host: $(cat host.out)"
  ended=$watched watched=
  proposed ctl ''
  grep -q -x "$ended" words && fail "ctl proposes a program that has ended"
else
  leave_out libffi "is not in this build, so no program is recorded"
fi

# ---- the shells ----

mkdir -p shell/logs.d
cd shell || exit 1
for file in app.mlpd app.eventlog.gz old.mlpd.zst notes.txt 'two words.mlpd'; do
  : >"$file"
done
PATH=$top_builddir:$PATH
export PATH

# in_bash LINE: what bash proposes at the end of the line, by the words that it makes of it.
in_bash ()
{
  bash -c '
    compopt () { echo "compopt $*" >>options; }
    source "$1"
    COMP_LINE=$2 COMP_POINT=${#2}
    COMP_WORDBREAKS=$'"' \\t\\n\"\\'><=;|&(:'"'
    # As readline does: the characters of COMP_WORDBREAKS that are no blanks are words.
    COMP_WORDS=() word= broken=
    for ((i = 0; i < ${#COMP_LINE}; i++)); do
      c=${COMP_LINE:i:1}
      case $c in
      " ") [[ -z $word ]] || COMP_WORDS+=("$word"); word= ;;
      [=:]) [[ -z $word ]] || COMP_WORDS+=("$word"); COMP_WORDS+=("$c"); word= ;;
      *) word+=$c ;;
      esac
    done
    [[ -z $word && ${COMP_LINE: -1} == [=:] ]] || COMP_WORDS+=("$word")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    : >options
    _proflog
    printf "%s\n" "${COMPREPLY[@]}"' bash "$completions/bash/proflog" "$1" >../shown 2>../err || fail "bash: $1"
  quiet ../err
}

shown ()
{
  line=$1
  shift
  printf '%s\n' "$@" | sort >../expected
  sort ../shown >../sorted
  cmp -s ../sorted ../expected || fail "$shell: $line: $(tr '\n' ' ' <../sorted)"
  checks=$((checks + 1))
}

if has bash; then
  shell=bash
  in_bash 'proflog rep'; shown 'rep' report repair replay
  in_bash 'proflog report --rep'; shown '--rep' --reports=
  grep -q nospace options || fail "bash puts a blank after --reports="
  in_bash 'proflog report --reports=gc,al'; shown 'a list' gc,allocations
  in_bash 'proflog report --format='; shown '--format=' text json csv markdown html
  in_bash 'proflog report --format j'; shown '--format j' json
  in_bash 'proflog report '; shown 'logs' app.mlpd app.eventlog.gz old.mlpd.zst 'two words.mlpd' logs.d
  grep -q filenames options || fail "bash does not quote names of files"
  in_bash 'proflog report a'; shown 'a' app.mlpd app.eventlog.gz
  in_bash 'proflog report no'; shown 'no log' notes.txt
  in_bash 'proflog report --output=no'; shown '--output=' notes.txt
  in_bash 'proflog query --parquet lo'; shown '--parquet' logs.d
  in_bash 'proflog ctl 4711 st'; shown 'a verb' status stop start
  in_bash 'proflog heap le'; shown 'heap le' leaks
  in_bash 'proflog flame --diff=app.m'; shown '--diff' app.mlpd
  in_bash 'proflog run bas'
  grep -q -x bash ../shown || fail "bash: no program"
  # bash itself finds the function by the name of its file.
  bash -c 'source "$1"; complete -p proflog' bash "$completions/bash/proflog" >../out 2>../err \
    || fail "bash has no completion of proflog"
fi

if has zsh; then
  shell=zsh
  # The functions that show matches print them.
  in_zsh ()
  {
    zsh -f -c '
      compadd () {
        local -a rest; local suffix=" " name
        while [[ $1 == -* ]]; do
          case $1 in
          -S) suffix=$2; shift ;;
          -d) shift ;;
          -a) name=$2; shift ;;
          esac
          shift
        done
        for match in ${(P)name}; do print -r -- "$match$suffix"; done
      }
      compset () { PREFIX=${PREFIX#*=} }
      _files () { print -r -- "files $*" }
      _command_names () { print -r -- commands }
      words=("${(@s: :)2}") CURRENT=$#words PREFIX=$words[-1]
      source $1' zsh "$completions/zsh/_proflog" "$1" >../shown 2>../err || fail "zsh: $1"
    quiet ../err
  }
  in_zsh 'proflog rep'; shown 'rep' 'report ' 'repair ' 'replay '
  in_zsh 'proflog report --rep'; shown '--rep' --reports=
  in_zsh 'proflog report --reports=gc,al'; shown 'a list' '--reports=gc,allocations '
  in_zsh 'proflog ctl 4711 st'; shown 'a verb' 'status ' 'stop ' 'start '
  in_zsh 'proflog report '; shown 'logs' 'files -g *.(mlpd|eventlog)(|.gz|.zst)(-.)'
  in_zsh 'proflog run '; shown 'run' commands
  # As a person sees it, in a terminal.
  mkdir ../functions
  cp "$completions/zsh/_proflog" ../functions
  cat >../terminal.zsh <<'END'
zmodload zsh/zpty || exit 1
await () {
  local piece
  integer i
  for ((i = 0; i < 600; i++)); do
    while zpty -r -t shell piece; do seen+=$piece; done
    [[ $seen != *$1* ]] || return 0
    sleep 0.05
  done
  print -r -- "$seen"
  exit 1
}
zpty shell zsh -f -i
zpty -w shell "PS1= fpath=(${(q)PWD:h}/functions \$fpath); autoload -Uz compinit; compinit -D -u; print rea\"\"dy"
await ready$'\r'
seen=
zpty -w -n shell $'proflog anon\t'
await 'proflog anonymize'
zpty -d shell
END
  timeout 60 zsh -f ../terminal.zsh >../out 2>../err || fail "zsh in a terminal"
  checks=$((checks + 1))
fi

if has fish; then
  shell=fish
  HOME=$work
  export HOME
  # in_fish LINE: matches without their descriptions.
  in_fish ()
  {
    fish --no-config -c 'source $argv[1]; complete -C $argv[2]' "$completions/fish/proflog.fish" "$1" >../shown 2>../err \
      || fail "fish: $1"
    quiet ../err
    cut -f 1 ../shown >../names
    mv ../names ../shown
  }
  in_fish 'proflog rep'; shown 'rep' report repair replay
  in_fish 'proflog report --rep'; shown '--rep' --reports=
  in_fish 'proflog report --reports=gc,al'; shown 'a list' --reports=gc,allocations
  in_fish 'proflog ctl 4711 st'; shown 'a verb' status stop start
  in_fish 'proflog report '; shown 'logs' app.mlpd app.eventlog.gz old.mlpd.zst 'two words.mlpd' logs.d/
  in_fish 'proflog report --output=no'; shown '--output=' --output=notes.txt
  in_fish 'proflog query --parquet lo'; shown '--parquet' logs.d/
fi
done_checks
