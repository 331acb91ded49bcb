// brief-growth.cs -- a short program that keeps what it makes.
//
// Usage: brief-growth.exe MS keeps one object in each ms, for so many ms, and collects five times; brief-growth.exe 2
// keeps 50, collects, keeps 50 more, and collects.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Threading;

class Kept { public byte[] data = new byte[1000]; }

static class Growing {
  static readonly List<Kept> all = new List<Kept> ();

  static void Main (string[] arguments) {
    int time = int.Parse (arguments[0]);
    Stopwatch watch = Stopwatch.StartNew ();
    for (int i = 0; time == 2 && i < 100; i++) {
      all.Add (new Kept ());
      if (i % 50 == 49)
        GC.Collect ();
    }
    for (int collections = 0; time != 2 && watch.ElapsedMilliseconds < time;) {
      all.Add (new Kept ());
      if (watch.ElapsedMilliseconds >= collections * time / 5) {
        GC.Collect ();
        collections++;
      }
      Thread.Sleep (1);
    }
  }
}
