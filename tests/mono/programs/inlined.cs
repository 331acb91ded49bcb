// Calls of methods that the runtime inlines where they are not recorded, and of others.  Each call in the
// source is made as often as it counts.  Prints "calls:METHOD N", N is 0 of methods that are inlined.
using System;
using System.Runtime.CompilerServices;

namespace Probe {
  class Thing {
    int value;
    public int Value { get { return value; } set { this.value = value; } }
    public int Choice (bool first) { return first ? 1 : value; }
    public static int Code19 (int a) { return a + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 100; }
    public static int Code20 (int a) { return a + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1; }
    public virtual int Virtual () { return value + 1; }
    [MethodImpl (MethodImplOptions.NoInlining)]
    public int Kept () { return value; }
    [MethodImpl (MethodImplOptions.Synchronized)]
    public int Locked () { return value; }
    public int Loop (int n) { while (n > 3) n--; return n; }
    public int Caller () { return Kept (); }
    public int Long (int a) { return a * 3 + a * 5 + a * 7 + (a ^ 11) + (a | 13) + (a & 17) + value; }
    public int Handler (int a) { try { value = a; } finally { value++; } return 0; }
    public object Maker () { return new object (); }
    public void Thrower (Exception e) { throw e; }
    public int[] Array () { return new int[value]; }
  }

  static class Inlined {
    static int Main ()
    {
      var t = new Thing ();
      long sum = 0;
      for (int i = 0; i < 5; i++) {
        t.Value = i;
        sum += t.Value + t.Choice (i > 2) + t.Virtual () + t.Kept () + t.Locked () + t.Loop (i) + t.Caller ()
               + t.Long (i) + t.Handler (i) + t.Array ().Length + Thing.Code19 (i) + Thing.Code20 (i);
        if (t.Maker () == null)
          return 1;
        try {
          t.Thrower (null);
        } catch (NullReferenceException) {
          sum++;
        }
      }
      foreach (string inlined in new [] { "get_Value ()", "set_Value (int)", "Choice (bool)", "Virtual ()", "Array ()",
                                        "Code19 (int)" })
        Console.WriteLine ("calls:Probe.Thing:{0} 0", inlined);
      Console.WriteLine ("calls:Probe.Thing:Kept () 10");
      foreach (string recorded in new [] { "Locked ()", "Loop (int)", "Caller ()", "Long (int)", "Handler (int)", "Maker ()", "Code20 (int)",
                                           "Thrower (System.Exception)" })
        Console.WriteLine ("calls:Probe.Thing:{0} 5", recorded);
      Console.WriteLine ("calls:Probe.Inlined:Main () 1");
      return sum > 0 ? 0 : 1;
    }
  }
}
