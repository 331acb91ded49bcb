#!/bin/sh
# `proflog run` of programs that GHC linked in each way: their input, output, arguments and status are
# unchanged, and the eventlog has what the program counted; what cannot be is reported before it starts.
. "${srcdir:-.}/tests/ghc/lib.sh"
need ghc
unset GHCRTS PROFLOG_GHC PROFLOG_OPTIONS

cat >Main.hs <<'END'
import Control.Monad (forM_)
import Debug.Trace (traceEventIO)
import System.Environment (getArgs, lookupEnv)
import System.Exit (exitWith, ExitCode (..))
import System.Mem (performGC)

main :: IO ()
main = do
  arguments <- getArgs
  text <- getContents
  variable <- lookupEnv "GHCRTS"
  print arguments
  print variable
  putStr (map succ text)
  forM_ [1 .. 20 :: Int] (\i -> traceEventIO ("step " ++ show i) >> performGC)
  exitWith (ExitFailure 7)
END

# link NAME FLAG...: the program is linked so.
link ()
{
  name=$1
  shift
  ghc -v0 -O0 "$@" -outputdir "$name.o" -o "$name" Main.hs >out 2>err || fail "$name does not compile"
}

# runs NAME OPTION...: as without proflog, and its eventlog has all messages.
runs ()
{
  name=$1
  shift
  rm -f ./*.eventlog
  printf abc | "./$name" 'a b' '' -x >alone 2>&1
  printf abc | "$proflog" run "$@" "./$name" 'a b' '' -x >printed 2>err
  status=$?
  test "$status" = 7 || { cat err >&2; fail "$name: status $status"; }
  test "$name" = ignoring || same alone printed
  file=$(ls ./*.eventlog)
  says err "the log is $work/${file#./} ("
  test "$(wc -l <err)" = 2 || fail "$name: more is printed: $(cat err)"
  "$proflog" check "$file" >checked 2>&1 || fail "$name: $(cat checked)"
  "$proflog" dump "$file" >dumped 2>&1
  test "$(grep -c 'user-msg message="step' dumped)" = 20 || fail "$name: not all messages are in the log"
  checks=$((checks + 1))
}

# refuses NAME TEXT OPTION...: it is not started.
refuses ()
{
  name=$1 text=$2
  shift 2
  rm -f ./*.eventlog
  "$proflog" run "$@" "./$name" >out 2>err
  status=$?
  test "$status" = 3 || fail "$name: status $status"
  says err "$text"
  test ! -s out || fail "$name has run"
  test -z "$(ls ./*.eventlog 2>/dev/null)" || fail "$name has written a log"
  checks=$((checks + 1))
}

link without
link some -eventlog
link threaded -threaded -eventlog -rtsopts
link none -eventlog -rtsopts=none
link ignoring -eventlog -rtsopts=ignore
link all -eventlog -rtsopts

runs some
runs threaded
runs all --heap
grep -q 'heap-prof-begin' dumped || fail "--heap records no heap profile"
test ! -e all.hp || fail "the runtime's text is left"
runs all --heap=5ms
grep -q 'heap-prof-begin.*period=5000000' dumped || fail "--heap=5ms: $(grep heap-prof-begin dumped)"
rm -f all.hp
runs all -o 'named.%p.eventlog'
case $file in ./named.[0-9]*.eventlog) ;; *) fail "the log is $file" ;; esac
# Here only the environment has an effect, which the program sees.
runs ignoring
says printed '-ol'

# Without GHC's notes the variable is the way that can do no harm.
if has strip; then
  strip -o ignoring-stripped ignoring
  rm -f ./*.eventlog
  printf abc | "$proflog" run ./ignoring-stripped >printed 2>err
  says err 'the log is '
  refuses ignoring-stripped 'does not state whether it accepts the option -hT, which --heap needs' --heap
fi
refuses all "cannot write the log: 'folder/' is not the name of a file" -o folder/
"$proflog" run -o 'a b.eventlog' ./ignoring >out 2>err && fail "a path with a blank is accepted"
says err "'$work/a b.eventlog': the runtime of this program accepts no path with blanks"
if link shared -dynamic -eventlog; then
  runs shared
fi

# From 9.4 on every runtime writes eventlogs.
case $(ghc --numeric-version) in
  [1-8].* | 9.[0-3].*)
    refuses without 'was linked without -eventlog, so it can write no log; link it with: ghc -eventlog ...'
    refuses without 'linked without -eventlog' --heap
    says err 'linked with -rtsopts=some'
    ;;
  *)
    runs without
    refuses without 'refuses the option -hT, which --heap needs' --heap
    if link shared-without -dynamic; then
      runs shared-without
    fi
    ;;
esac
refuses none 'was linked with -rtsopts=none, which refuses all options of the runtime; link it with: ghc -rtsopts ...'
refuses some 'was linked with -rtsopts=some, which refuses the option -hT, which --heap needs; link it with: ghc -rtsopts ...' --heap
says err 'linked with -rtsopts=some'
"$proflog" run --allocs ./all >out 2>err && fail "--allocs is accepted"
says err "--allocs: './all' is a GHC program"
touch all.hp
"$proflog" run --heap ./all >out 2>err && fail "a file of the user is overwritten"
says err "the runtime would overwrite 'all.hp'"
done_checks
