# programs.sh -- compiles and runs the programs of tests/ghc/programs with GHC.  Sourced; expects
# $sources (tests/ghc) and $work (a folder for what is made).

# NAME WAY PROGRAM [ARGUMENT...] [+RTS OPTION...]: the modes of recording that there are fixtures of.
# Ways: vanilla, threaded, profiled (with cost centres), parallel (both).
ghc_runs='
blocks vanilla Blocks +RTS -l -V0.0005 -C0.0005
blocks-N1 threaded Blocks +RTS -l -N1 -V0.0005 -C0.0005
blocks-N2 threaded Blocks +RTS -la -N2 -V0.0005 -C0.0005
collect vanilla Collect +RTS -l -A256k
collect-N2 threaded Collect +RTS -l -N2 -A256k
collect-G3 threaded Collect +RTS -lsgpu -N2 -A256k -G3
collect-sequential threaded Collect +RTS -l -N2 -A256k -qg
collect-nonmoving threaded Collect +RTS -lan -N2 -A256k --nonmoving-gc
sparks threaded Sparks 300 +RTS -l -N2 -e128
sparks-all threaded Sparks 300 +RTS -la -N2 -e128
sparks-user threaded Sparks 300 +RTS -l-au -N2
heap-hT vanilla Bands 12 +RTS -l -hT -i0.001 -V0.001
heap-hc profiled Bands 12 +RTS -l -hc -i0.001 -V0.001
heap-hm profiled Bands 12 +RTS -l -hm -i0.001 -V0.001
heap-hd profiled Bands 12 +RTS -l -hd -i0.001 -V0.001
heap-hy profiled Bands 12 +RTS -l -hy -i0.001 -V0.001
heap-hr profiled Bands 12 +RTS -l -hr -i0.001 -V0.001
heap-hb profiled Bands 24 +RTS -l -hb -i0.005 -V0.001
heap-hc-only profiled Bands 12 +RTS -l -hy -hcgrowing -i0.001 -V0.001
ticks profiled Ticks 3000000 +RTS -l -P
restart vanilla Restart restart.eventlog +RTS -l
restart-N2 threaded Restart restart-N2.eventlog +RTS -l -N2
'

# compile WAY PROGRAM: $work/PROGRAM-WAY is there.
compile ()
{
  compile_options=
  case $1 in
    threaded) compile_options=-threaded ;;
    profiled) compile_options=-prof ;;
    parallel) compile_options='-prof -threaded' ;;
  esac
  test ! -x "$work/$2-$1" || return 0
  compile_sources=$2.hs
  test ! -f "$sources/programs/$2-writer.c" || compile_sources="$2.hs $2-writer.c"
  # Logs and profiles name the sources as they are named here.
  # shellcheck disable=SC2086
  (cd "$sources/programs" && ghc -v0 -Wall -O1 -eventlog -rtsopts $compile_options \
    -outputdir "$work/$2-$1.o" -o "$work/$2-$1" $compile_sources) || fail "$2.hs does not compile"
}

# run_once NAME WAY PROGRAM [ARGUMENT...] +RTS [OPTION...]
run_once ()
{
  once_name=$1 once_program=$3-$2
  shift 3
  (cd "$work" && rm -f "$once_program.hp" "$once_program.prof" "$once_name.eventlog" \
    && "./$once_program" "$@" "-ol$once_name.eventlog" "-s$once_name.stats" \
      >"$once_name.truth" 2>"$once_name.err")
}

# record NAME WAY PROGRAM [ARGUMENT...] +RTS [OPTION...]: in $work are then NAME.eventlog, NAME.truth
# (the output of the program), NAME.stats (that of +RTS -s) and, of a profile, NAME.hp or NAME.prof.
# The runtime of GHC 9.0.2 crashes now and then when it takes a profile by biography, and more often
# with many samples, so there are some attempts.
record ()
{
  compile "$2" "$3"
  record_attempts=5
  while ! run_once "$@"; do
    record_attempts=$((record_attempts - 1))
    test "$record_attempts" -gt 0 || { cat "$work/$1.err" >&2; fail "$3 does not end well"; }
  done
  test -s "$work/$1.eventlog" || fail "$1: no log came"
  for record_kind in hp prof; do
    test ! -s "$work/$3-$2.$record_kind" || mv "$work/$3-$2.$record_kind" "$work/$1.$record_kind"
  done
}
