// A heap of N objects: nodes, and in place of so many percent of them strings, half of which have another's text,
// lists, and state machines of async methods that wait.  It collects COLLECTIONS times.
//
// Usage: snapshot-heap.exe N COLLECTIONS STRINGS LISTS TASKS
using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Bench {
  class Node { public Node Next; public object Content; public long Number; }

  static class SnapshotHeap {
    static readonly Node[] chains = new Node[1000];
    static readonly TaskCompletionSource<int> never = new TaskCompletionSource<int> ();

    static async Task<int> Wait () { return await never.Task; }

    static object Content (int i, int strings, int lists, int tasks)
    {
      int kind = i % 50;
      if (kind < strings)
        return "text " + (i % 2 == 0 ? i : i % 1000);
      if (kind < strings + lists)
        return new List<int> (4);
      return kind < strings + lists + tasks ? Wait () : (object) new Node ();
    }

    static void Main (string[] arguments)
    {
      int[] n = Array.ConvertAll (arguments, int.Parse);
      for (int i = 0; i < n[0] / 2; i++) {
        Node rest = chains[i % 1000];
        chains[i % 1000] = new Node { Next = rest, Content = Content (i, n[2], n[3], n[4]), Number = i };
      }
      GC.Collect ();
      Thread.Sleep (1000); // the classes of the first snapshot are described
      for (int i = 0; i < n[1]; i++)
        GC.Collect ();
    }
  }
}
