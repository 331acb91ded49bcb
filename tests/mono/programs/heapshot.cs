// A live graph of known shape, grown between forced major collections.
// Prints "shots N" and for the shot S (from 1) "shot:S:TYPE N"; "references:TYPE N" is for the last.
using System;
using System.Runtime.CompilerServices;
using System.Threading;

namespace Probe {
  class Tree { public Tree Left, Right; public Leaf Value; }     // 16 + 3 * 8: 40 bytes
  class Leaf { public long Number; }                             // 24 bytes
  class Hub { public Leaf[] Spokes; }                            // 24 bytes
  class Gone { public Gone Other; }                              // lives for one shot

  static class HeapShot {
    static Tree root;
    static Hub hub;
    static Gone[] gone;
    static long trees, leaves;

    static Tree Grow (int depth)
    {
      trees++;
      leaves++;
      return new Tree {
        Left = depth > 1 ? Grow (depth - 1) : null,
        Right = depth > 1 ? Grow (depth - 1) : null,
        Value = new Leaf { Number = depth },
      };
    }

    // In a thread of its own, so that no stack keeps an address of what is dropped later.
    static void Do (ThreadStart work)
    {
      var thread = new Thread (work);
      thread.Start ();
      thread.Join ();
    }

    static long References (Tree tree)
    {
      return tree == null ? 0
             : (tree.Left != null ? 1 : 0) + (tree.Right != null ? 1 : 0) + (tree.Value != null ? 1 : 0)
               + References (tree.Left) + References (tree.Right);
    }

    static int Main ()
    {
      int before = GC.CollectionCount (GC.MaxGeneration);
      if (GC.MaxGeneration > 0 && before != 0)
        return 1;

      Do (() => root = Grow (10));
      GC.Collect ();
      string text = String.Format ("shot:1:Probe.Tree {0}\nshot:1:Probe.Leaf {1}\n", trees, leaves);

      Do (() => {
        hub = new Hub { Spokes = new Leaf[300] };
        for (int i = 0; i < hub.Spokes.Length; i++, leaves++)
          hub.Spokes[i] = new Leaf { Number = i };
        gone = new Gone[50];
        for (int i = 0; i < gone.Length; i++)
          gone[i] = new Gone { Other = i > 0 ? gone[i - 1] : null };
      });
      GC.Collect ();
      text += String.Format ("shot:2:Probe.Tree {0}\nshot:2:Probe.Leaf {1}\nshot:2:Probe.Hub 1\n"
                             + "shot:2:Probe.Gone {2}\nshot:2:Probe.Leaf[] 1\n",
                             trees, leaves, gone.Length);

      gone = null;
      Do (() => root.Left.Right.Left = Grow (12));   // takes the place of a tree of depth 7
      trees -= (1 << 7) - 1;
      leaves -= (1 << 7) - 1;
      GC.Collect ();
      text += String.Format ("shot:3:Probe.Tree {0}\nshot:3:Probe.Leaf {1}\nshot:3:Probe.Hub 1\n"
                             + "shot:3:Probe.Gone 0\nshot:3:Probe.Leaf[] 1\n",
                             trees, leaves);
      text += String.Format ("references:Probe.Tree {0}\nreferences:Probe.Leaf[] {1}\n"
                             + "references:Probe.Hub 1\n", References (root), hub.Spokes.Length);
      text += String.Format ("shots {0}\n", GC.CollectionCount (GC.MaxGeneration) - before);
      Console.Write (text);
      return 0;
    }
  }
}
