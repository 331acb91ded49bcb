// alloc [THREADS [OBJECTS]]: threads that allocate OBJECTS objects of own classes each.
// Prints "objects:TYPE N" and "bytes:TYPE N" for each of them.
using System;
using System.Threading;

namespace Probe {
  class Node { public Node Next; public int Value; }         // 16 + 8 + 4 bytes, rounded up: 32
  class Leaf { public long Value; }                          // 16 + 8: 24
  class Empty { }                                            // 16
  class Pair<A, B> { public A First; public B Second; }      // of int and object 16 + 8 + 8: 32

  struct Small { public byte A, B, C; }                      // 3, in an array

  static class Alloc {
    static readonly string[] names = {
      "Probe.Node", "Probe.Leaf", "Probe.Empty", "Probe.Pair<System.Int32,System.Object>",
      "Probe.Leaf[]", "Probe.Empty[,]", "Probe.Small[]",
    };
    static readonly long[] objects = new long[names.Length];
    static readonly long[] bytes = new long[names.Length];
    static int total;
    static object sink;

    static void Count (long[] own_objects, long[] own_bytes, int what, long size)
    {
      own_objects[what]++;
      own_bytes[what] += size;
    }

    static long RoundUp (long size)
    {
      return (size + 7) / 8 * 8;
    }

    static void Work ()
    {
      var own_objects = new long[names.Length];
      var own_bytes = new long[names.Length];
      Node chain = null;
      for (int i = 0; i < total; i++) {
        if (i % 1000 == 999) {
          // An array has a header of 32 bytes, then 8 for each reference.
          sink = new Leaf[i % 7];
          Count (own_objects, own_bytes, 4, RoundUp (32 + 8 * (i % 7)));
        } else if (i % 1000 == 998) {
          // With bounds of 8 bytes for each of the two dimensions, behind the elements.
          sink = new Empty[2, 3];
          Count (own_objects, own_bytes, 5, RoundUp (32 + 8 * 6) + 2 * 8);
        } else if (i % 1000 == 997) {
          sink = new Small[i % 11];
          Count (own_objects, own_bytes, 6, RoundUp (32 + 3 * (i % 11)));
        } else if (i % 4 == 0) {
          chain = new Node { Next = i % 64 == 0 ? null : chain, Value = i };
          Count (own_objects, own_bytes, 0, 32);
        } else if (i % 4 == 1) {
          sink = new Leaf { Value = i };
          Count (own_objects, own_bytes, 1, 24);
        } else if (i % 4 == 2) {
          sink = new Empty ();
          Count (own_objects, own_bytes, 2, 16);
        } else {
          sink = new Pair<int, object> { First = i, Second = chain };
          Count (own_objects, own_bytes, 3, 32);
        }
      }
      for (int i = 0; i < names.Length; i++) {
        Interlocked.Add (ref objects[i], own_objects[i]);
        Interlocked.Add (ref bytes[i], own_bytes[i]);
      }
    }

    static int Main (string[] args)
    {
      int count = args.Length > 0 ? int.Parse (args[0]) : 4;
      total = args.Length > 1 ? int.Parse (args[1]) : 50000;
      var threads = new Thread[count];
      for (int i = 0; i < count; i++) {
        threads[i] = new Thread (Work);
        threads[i].Start ();
      }
      foreach (var thread in threads)
        thread.Join ();
      long sum = 0;
      for (int i = 0; i < names.Length; i++) {
        Console.WriteLine ("objects:{0} {1}", names[i], objects[i]);
        Console.WriteLine ("bytes:{0} {1}", names[i], bytes[i]);
        sum += objects[i];
      }
      Console.WriteLine ("objects {0}", sum);
      return 0;
    }
  }
}
