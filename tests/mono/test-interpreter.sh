#!/bin/sh
# Samples of an interpreted program have no methods: the end of a run and a finding say so, and calls have them.
. "${srcdir:-.}/tests/mono/lib.sh"
compile interpreted

# recorded OPTIONS MONO-OPTIONS ROUNDS
recorded ()
{
  "$proflog" run $1 -o "$log" --force mono $2 "$programs/interpreted.exe" "$3" >"$truth" 2>"$work/err" \
    || fail "run $1 mono $2: $(cat "$work/err")"
  "$proflog" report --reports=findings "$log" >"$work/findings" || fail 'report'
}

# says NUMBER: so many of the two places say that it was interpreted.
says ()
{
  said=$(cat "$work/err" "$work/findings" | grep -c 'program was interpreted: .*proflog run --calls') || :
  [ "$said" = "$1" ] || fail "$said places, not $1: $(cat "$work/err" "$work/findings")"
  checks=$((checks + 1))
}

recorded "" --interpreter 1000
says 2
recorded "" --interp= 1000
says 2
MONO_ENV_OPTIONS=--interpreter
export MONO_ENV_OPTIONS
recorded "" "" 1000
says 2
unset MONO_ENV_OPTIONS

# What it advises, and what is compiled: also a short program, most of whose samples are of the compiler.
recorded --calls --interpreter 1000
says 0
"$proflog" report --reports=calls "$log" >"$work/out" || fail 'report'
grep -q 'Probe.Interpreted:Mix' "$work/out" || fail "no calls: $(cat "$work/out")"
recorded "" "" 4000
says 0
recorded --sample=1000 "" 1
says 0
# Nor a program whose time is the runtime's, in which samples have no methods.
cat >"$work/throws.cs" <<'EOF'
class Throws {
  static int Main ()
  {
    for (int i = 0; i < 60000; i++)
      try { int.Parse ("x"); } catch (System.FormatException) { }
    return 0;
  }
}
EOF
mcs -nologo -out:"$work/throws.exe" "$work/throws.cs" || fail 'throws.cs'
for round in 1 2 3 4; do
  "$proflog" run -o "$log" --force mono "$work/throws.exe" 2>"$work/err" || fail 'run'
  "$proflog" report --reports=findings "$log" >"$work/findings" || fail 'report'
  says 0
done
echo "$checks figures agree"
