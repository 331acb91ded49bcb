// growth.cs -- growth whose end and places are known.
//
// Usage: growth.exe leak|lru|queue|startup|pool|mixed|elsewhere|stack ROUNDS.  Each round ends with a major collection,
// and so with a heap snapshot.
//
//   leak       100 more Items in a static list each round
//   lru        a cache that has room for 300 Items, which come in the first three rounds; later ones replace
//   queue      a queue that has 500 Items from the first round on, which are replaced
//   startup    300 Items that come in the first three rounds, and stay
//   pool       200 to 600 Items: more in four rounds, fewer in the next four, and so on
//   mixed      the leak, the cache and the queue, all of the class Item
//   elsewhere  the leak; as many Items, which others allocate, come and go
//   stack      the leak, and the array of the list is also in a local variable of Main
using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;

class Item {
  public byte[] data = new byte[200];
}

static class Leak {
  public static List<Item> items = new List<Item> (8192);

  [MethodImpl (MethodImplOptions.NoInlining)]
  public static void Grow () {
    for (int i = 0; i < 100; i++)
      items.Add (new Item ());
  }
}

static class Lru {
  const int Room = 300;
  static LinkedList<Item> items = new LinkedList<Item> ();

  [MethodImpl (MethodImplOptions.NoInlining)]
  public static void Use () {
    for (int i = 0; i < 100; i++) {
      items.AddFirst (new Item ());
      if (items.Count > Room)
        items.RemoveLast ();
    }
  }
}

static class Pending {
  static Queue<Item> items = new Queue<Item> ();

  [MethodImpl (MethodImplOptions.NoInlining)]
  public static void Use () {
    do
      items.Enqueue (new Item ());
    while (items.Count < 500);
    for (int i = 0; i < 50; i++) {
      items.Dequeue ();
      items.Enqueue (new Item ());
    }
    items.Dequeue ();
  }
}

static class Pool {
  static Stack<Item> items = new Stack<Item> ();

  [MethodImpl (MethodImplOptions.NoInlining)]
  public static void Use (int round) {
    int phase = round % 8, wanted = 200 + 100 * (phase < 4 ? phase : 8 - phase);
    while (items.Count < wanted)
      items.Push (new Item ());
    while (items.Count > wanted)
      items.Pop ();
  }
}

static class Elsewhere {
  [MethodImpl (MethodImplOptions.NoInlining)]
  public static int Pass () {
    int sum = 0;
    for (int i = 0; i < 5000; i++)
      sum += new Item ().data.Length;
    return sum;
  }
}

class Program {
  static bool Does (string what, string name) { return what == name || what == "mixed"; }

  static void Round (string what, int round) {
    if (Does (what, "leak") || what == "stack" || what == "elsewhere")
      Leak.Grow ();
    if (Does (what, "lru"))
      Lru.Use ();
    if (Does (what, "queue"))
      Pending.Use ();
    if (what == "startup" && round < 3)
      Leak.Grow ();
    if (what == "pool")
      Pool.Use (round);
    if (what == "elsewhere")
      Elsewhere.Pass ();
  }

  static void Main (string[] arguments) {
    string what = arguments[0];
    int rounds = int.Parse (arguments[1]);
    object inner = null;
    if (what == "stack")
      inner = typeof (List<Item>).GetField ("_items", System.Reflection.BindingFlags.NonPublic
                                            | System.Reflection.BindingFlags.Instance).GetValue (Leak.items);
    for (int round = 0; round < rounds; round++) {
      Round (what, round);
      GC.Collect ();
      System.Threading.Thread.Sleep (450 / rounds);
    }
    GC.KeepAlive (inner);
    Console.WriteLine ("items {0}", Leak.items.Count);
  }
}
