#!/bin/sh
# Threads one after the other that get the same id: samples, waits and locks are those of the thread that had it then.
. "${srcdir:-.}/tests/mono/lib.sh"
cat >"$work/ids.cs" <<'EOF'
using System;
using System.Diagnostics;
using System.Threading;

class Ids {
  static readonly object gate = new object ();

  static void Sleep () { Thread.Sleep (400); }

  static void Spin ()
  {
    var time = Stopwatch.StartNew ();
    while (time.ElapsedMilliseconds < 400) { }
  }

  static void Lock () { lock (gate) { } }

  static void Run (string name, ThreadStart start)
  {
    var thread = new Thread (start) { Name = name };
    thread.Start ();
    thread.Join ();
  }

  static void Main ()
  {
    foreach (string name in new [] { "alice", "bob" })
      Run (name, Sleep);
    foreach (string name in new [] { "carol", "dave" })
      Run (name, Spin);
    var held = new ManualResetEvent (false);
    foreach (string name in new [] { "erin", "frank" }) {
      held.Reset ();
      ThreadPool.QueueUserWorkItem (_ => { lock (gate) { held.Set (); Thread.Sleep (100); } });
      held.WaitOne ();
      Run (name, Lock);
    }
  }
}
EOF
mcs -nologo -out:"$work/ids.exe" "$work/ids.cs" || fail 'ids.cs'

# has NAME TABLE: it has a row of this thread, of at least so much.
has_row ()
{
  awk -F , -v name="$1" -v table="$2" -v least="$3" '$1 == table { for (i = 3; i <= NF; i++) if ($i == name) sum += $2 }
    END { exit sum < least }' "$work/rows" || fail "$1 has too little in $2: $(grep "^$2" "$work/rows")"
  checks=$((checks + 1))
}

for way in '' --wall; do
  "$proflog" run $way --force -o "$log" mono "$work/ids.exe" 2>"$work/err" || fail "run $way: $(cat "$work/err")"
  "$proflog" report --reports=cpu,waits --limit 0 --format csv "$log" >"$work/rows" || fail 'no report'
  for name in carol dave; do
    has_row $name cpu.threads 2
  done
  for name in erin frank; do
    has_row $name waits 50000000
  done
  test -z "$way" || for name in alice bob; do
    has_row $name waits 300000000
  done
done
echo "$checks rows"
