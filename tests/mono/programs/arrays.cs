// arrays [OBJECTS]: OBJECTS arrays of own types, of several lengths each.
// Prints "size:TYPE BYTES N": N of this type had BYTES bytes.
using System;

namespace Probe {
  class Node { }
  struct One { public byte A; }
  struct Three { public byte A, B, C; }
  struct Wide { public long A, B, C; }

  static class Arrays {
    static readonly int[] lengths = { 5, 1, 60, 0, 17, 2 };
    static readonly string[] names = {
      "Probe.Node[]", "Probe.One[]", "Probe.Three[]", "Probe.Wide[]", "Probe.Node[,]", "Probe.Node[*]",
    };
    static readonly int[] element = { 8, 1, 3, 24, 8, 8 }, dimensions = { 0, 0, 0, 0, 2, 1 };
    static object sink;

    static void Make (int type, int length)
    {
      switch (type) {
      case 0: sink = new Node[length]; break;
      case 1: sink = new One[length]; break;
      case 2: sink = new Three[length]; break;
      case 3: sink = new Wide[length]; break;
      case 4: sink = new Node[length, 1]; break;
      case 5: sink = Array.CreateInstance (typeof (Node), new[] { length }, new[] { 1 }); break;
      }
    }

    static int Main (string[] args)
    {
      int total = args.Length > 0 ? int.Parse (args[0]) : 100000;
      var made = new long[names.Length, lengths.Length];
      for (int i = 0; i < total; i++) {
        int type = i % names.Length, which = i / names.Length % lengths.Length;
        Make (type, lengths[which]);
        made[type, which]++;
      }
      for (int type = 0; type < names.Length; type++)
        for (int which = 0; which < lengths.Length; which++) {
          // A header of 32 bytes, the elements, and behind them 8 for the bounds of each dimension.
          int size = (32 + element[type] * lengths[which] + 7) / 8 * 8 + 8 * dimensions[type];
          Console.WriteLine ("size:{0} {1} {2}", names[type], size, made[type, which]);
        }
      return 0;
    }
  }
}
