// Collections of both generations: forced ones, and those that allocating causes.
// Prints "collections:GENERATION N" at its end.
using System;

namespace Probe {
  class Garbage { public Garbage Other; public long A, B, C; }

  static class Collect {
    static Garbage[] kept = new Garbage[20000];

    static int Main ()
    {
      for (int i = 0; i < 400000; i++)
        kept[i % kept.Length] = new Garbage { Other = i % 3 == 0 ? kept[i / 2 % kept.Length] : null };
      for (int i = 0; i < 5; i++)
        GC.Collect (0);
      for (int i = 0; i < 3; i++)
        GC.Collect ();
      string text = "";
      for (int generation = 0; generation <= 1; generation++)
        text += String.Format ("collections:{0} {1}\n", generation, GC.CollectionCount (generation));
      Console.Write (text);
      return 0;
    }
  }
}
