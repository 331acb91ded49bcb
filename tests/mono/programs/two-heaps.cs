// Objects of many kinds, which are there once all that made them has ended; then a collection with one Marker alive.
// Prints "TYPE N": the objects of it.
//
// Usage: two-heaps.exe [OBJECTS [THREADS]]: more nodes in a list, for stops of a large heap; threads that wait
using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Threading;

namespace Two {
  class Marker { }
  class Node { public Node Next; public long Value; }
  class Tree { public Tree Left, Right; public object Any; }
  class Leaf { public int Number; }
  class ByHandle { public Leaf Own = new Leaf (); }
  [StructLayout (LayoutKind.Sequential)] class Weak { public long Value; }
  class PerThread { public Leaf Own = new Leaf (); }
  class Sender { public event EventHandler Changed; public bool Any { get { return Changed != null; } } }
  class Receiver { public void On (object sender, EventArgs arguments) { } }
  class Generic<T> { public static Leaf Shared; public T Value; }
  struct Pair { public long Number; public Leaf Leaf; }
  struct Nested { public Pair First, Second; }
  class Holder { public Nested Inside; public Pair[] Pairs; public Leaf[,] Table; public Leaf[][] Rows; }
  class Finalized { public Leaf Own = new Leaf (); ~Finalized () { } }

  static class Program {
    static Node list;
    static Tree tree;
    static Holder holder;
    static Dictionary<string, Leaf> names;
    static List<object> boxes;
    static Sender sender;
    static Generic<string> strings;
    static Finalized[] finalized;
    static byte[] bytes;
    static object[] sparse;
    static long[] addresses;
    static Marker marker;
    static GCHandle[] handles, weak;
    static AutoResetEvent seen = new AutoResetEvent (false);
    static ManualResetEvent done = new ManualResetEvent (false);
    [ThreadStatic] static PerThread mine;

    static Tree Grow (int depth) {
      return new Tree { Left = depth > 1 ? Grow (depth - 1) : null, Right = depth > 1 ? Grow (depth - 1) : null,
                        Any = depth % 2 == 0 ? (object) new Leaf () : depth };
    }

    static void Do (ThreadStart work) {
      var thread = new Thread (work);
      thread.Start ();
      thread.Join ();
    }

    static void Make (int nodes) {
      for (int i = 0; i < nodes; i++)
        list = new Node { Next = list, Value = i };
      tree = Grow (10);
      holder = new Holder { Pairs = new Pair[100], Table = new Leaf[10, 10], Rows = new Leaf[10][] };
      holder.Inside.First.Leaf = new Leaf ();
      holder.Inside.Second.Leaf = new Leaf ();
      for (int i = 0; i < 100; i++) {
        holder.Pairs[i].Leaf = new Leaf ();
        holder.Table[i / 10, i % 10] = new Leaf ();
      }
      for (int i = 0; i < 10; i++)
        holder.Rows[i] = new Leaf[] { new Leaf () };
      names = new Dictionary<string, Leaf> ();
      boxes = new List<object> ();
      for (int i = 0; i < 1000; i++) {
        names["name " + i] = new Leaf ();
        boxes.Add ((short) i);
      }
      sender = new Sender ();
      for (int i = 0; i < 300; i++)
        sender.Changed += new Receiver ().On;
      strings = new Generic<string> { Value = new string ('x', 5000) };
      Generic<string>.Shared = new Leaf ();
      finalized = new Finalized[20];
      for (int i = 0; i < finalized.Length; i++)
        finalized[i] = new Finalized ();
      bytes = new byte[3000000];
      sparse = new object[1000];
      for (int i = 0; i < sparse.Length; i += 2)
        sparse[i] = new Leaf ();
      handles = new GCHandle[50];
      weak = new GCHandle[50];
      for (int i = 0; i < handles.Length; i++) {
        handles[i] = GCHandle.Alloc (new ByHandle (), GCHandleType.Normal);
        weak[i] = GCHandle.Alloc (new Weak (), GCHandleType.Weak);
      }
      // Numbers that look like addresses of an object that is dead.
      addresses = new long[100];
      var dead = new Weak ();
      GCHandle pin = GCHandle.Alloc (dead, GCHandleType.Pinned);
      for (int i = 0; i < addresses.Length; i++)
        addresses[i] = pin.AddrOfPinnedObject ().ToInt64 () - 16;
      pin.Free ();
    }

    static void Wait () {
      mine = new PerThread ();
      seen.Set ();
      done.WaitOne ();
      GC.KeepAlive (mine);
    }

    static void Main (string[] arguments) {
      int nodes = arguments.Length > 0 ? int.Parse (arguments[0]) : 5000;
      Do (() => Make (nodes));
      var waits = new Thread[arguments.Length > 1 ? int.Parse (arguments[1]) : 1];
      for (int i = 0; i < waits.Length; i++) {
        waits[i] = new Thread (Wait, 1 << 18);
        waits[i].Start ();
        seen.WaitOne ();
      }
      GC.Collect ();
      Do (() => { marker = new Marker (); });
      GC.Collect ();
      marker = null;
      done.Set ();
      foreach (var thread in waits)
        thread.Join ();
      int trees = (1 << 10) - 1, leaves = 0;
      for (int depth = 1, count = 1; depth <= 10; depth++, count *= 2)
        leaves += (11 - depth) % 2 == 0 ? count : 0;
      Console.WriteLine ("Two.Marker 1\nTwo.Node {0}\nTwo.Tree {1}\nTwo.Leaf {2}", nodes, trees,
                         leaves + 2 + 100 + 100 + 10 + 1000 + 1 + 20 + 500 + 50 + waits.Length);
      Console.WriteLine ("Two.ByHandle 50\nTwo.Weak 0\nTwo.PerThread {0}\nTwo.Sender 1\nTwo.Receiver 300", waits.Length);
      Console.WriteLine ("Two.Finalized 20\nTwo.Holder 1\nTwo.Pair[] 1\nTwo.Leaf[,] 1\nTwo.Leaf[][] 1\nTwo.Leaf[] 10");
      Console.WriteLine ("Two.Generic<System.String> 1\nSystem.Int16 1000");
    }
  }
}
