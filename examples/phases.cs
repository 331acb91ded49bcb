// phases: a program that marks its phases in its own log, and has heap shots taken where it wants them.
//
//   mcs -r:PREFIX/lib/proflog/Proflog.dll phases.cs && cp PREFIX/lib/proflog/Proflog.dll .
//   mono --profile=proflog:alloc,format=17 phases.exe
//   proflog report output.mlpd
//
// Without the profiler the calls do nothing.
using System;
using System.Collections.Generic;

static class Phases {
  static Dictionary<int, string> table = new Dictionary<int, string> ();

  static void Load ()
  {
    for (int i = 0; i < 20000; i++)
      table[i] = "value " + i;
  }

  static int Ask ()
  {
    int length = 0;
    for (int i = 0; i < 200000; i++)
      length += table[i % table.Count].Length;
    return length;
  }

  static void Main ()
  {
    Load ();
    Proflog.Log.Mark ("loaded");
    Proflog.Log.HeapShot ();
    // What follows is not worth recording.
    Proflog.Log.Stop ();
    Console.WriteLine (Ask ());
    Proflog.Log.Start ();
    table.Clear ();
    Proflog.Log.Mark ("cleared");
    Proflog.Log.HeapShot ();
  }
}
