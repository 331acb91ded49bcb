// Does what lines on its input say, each on another thread that then is idle, and says "done".
//   count N  N objects, calls and exceptions, which the truth counts
//   skip N   the same, not counted
//   keep N   N objects that stay, on the main thread; not counted
//   print    the truth until now: "objects:TYPE N", "calls:METHOD N", "throws:TYPE N", "kept N"
// The truth comes once more at the end.
using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Threading;

namespace Probe {
  class Item { public long Number; }
  class Kept { public long Number; }
  class Trouble : Exception {}

  static class Control {
    const int Threads = 3;
    static long counted, sum;
    static int amount;
    static List<Kept> kept = new List<Kept> ();
    static AutoResetEvent[] begin = new AutoResetEvent[Threads];
    static AutoResetEvent end = new AutoResetEvent (false);

    [MethodImpl (MethodImplOptions.NoInlining)]
    static long Work (Item item)
    {
      return item.Number;
    }

    [MethodImpl (MethodImplOptions.NoInlining)]
    static void Some (int n)
    {
      for (int i = 0; i < n; i++) {
        sum += Work (new Item { Number = i });
        try {
          throw new Trouble ();
        } catch (Trouble) {
        }
      }
    }

    static void Loop (object which)
    {
      for (;;) {
        begin[(int) which].WaitOne ();
        Some (amount);
        end.Set ();
      }
    }

    static void Print ()
    {
      Console.WriteLine ("objects:Probe.Item {0}\ncalls:Probe.Control:Work (Probe.Item) {0}\n"
                         + "throws:Probe.Trouble {0}\nkept {1}", counted, kept.Count);
    }

    static int Main ()
    {
      for (int i = 0; i < Threads; i++) {
        begin[i] = new AutoResetEvent (false);
        new Thread (Loop) { IsBackground = true }.Start (i);
      }
      string line;
      for (int step = 0; (line = Console.ReadLine ()) != null; step++) {
        string[] words = line.Split (' ');
        amount = words.Length > 1 ? Int32.Parse (words[1]) : 0;
        switch (words[0]) {
        case "keep":
          for (int i = 0; i < amount; i++)
            kept.Add (new Kept { Number = i });
          break;
        case "print":
          Print ();
          break;
        default:
          begin[step % Threads].Set ();
          end.WaitOne ();
          if (words[0] == "count")
            counted += amount;
          break;
        }
        Console.WriteLine ("done");
      }
      Print ();
      return 0;
    }
  }
}
