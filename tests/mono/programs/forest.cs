// forest.cs -- more than a hundred thousand objects of many shapes: trees, arrays, lists, tables,
// cycles, delegates, weak references.  Prints how many of each it made.
using System;
using System.Collections.Generic;

namespace Probe {
  class Tree {
    public Tree left, right;
    public string name;
    public object[] more;
  }

  class Ring {
    public Ring next;
    public Action action;
    public void Act () {}
  }

  struct Pair {
    public object first;
    public int number;
    public object second;
  }

  class Forest {
    static Tree root;
    static Dictionary<int, Tree> table = new Dictionary<int, Tree> ();
    static LinkedList<string> list = new LinkedList<string> ();
    static Pair[] pairs = new Pair[1000];
    static WeakReference weak;
    [ThreadStatic] static List<Ring> rings;

    static Tree Make (int depth, int trees) {
      if (depth == 0)
        return null;
      var tree = new Tree { left = Make (depth - 1, trees), right = Make (depth - 1, trees) };
      tree.name = "tree " + trees + " " + depth;
      tree.more = new object[depth % 5];
      for (int i = 0; i < tree.more.Length; i++)
        tree.more[i] = i % 2 == 0 ? (object) tree.left : tree;
      return tree;
    }

    static void Main () {
      root = Make (15, 1);
      for (int i = 0; i < 10000; i++)
        table[i] = new Tree { left = root, name = "entry " + i };
      for (int i = 0; i < 5000; i++)
        list.AddLast ("link " + i);
      for (int i = 0; i < pairs.Length; i++)
        pairs[i] = new Pair { first = table[i], second = new int[i % 7] };
      rings = new List<Ring> ();
      for (int i = 0; i < 1000; i++) {
        var ring = new Ring ();
        ring.next = new Ring { next = ring, action = ring.Act };
        ring.action = ring.next.Act;
        rings.Add (ring);
      }
      weak = new WeakReference (new Tree ());
      GC.Collect ();
      Console.WriteLine ("trees {0}", (1 << 15) - 1 + table.Count);
      GC.KeepAlive (rings);
    }
  }
}
