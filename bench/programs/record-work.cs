// record-work KIND: a program of one kind, which runs for some two seconds: calls, allocs, finally, locks or waits.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Threading;

abstract class Expression {
  public abstract int Value (int x);
}

class Constant : Expression {
  public int Number;
  public override int Value (int x) { return Number; }
}

class Variable : Expression {
  public override int Value (int x) { return x; }
}

class Sum : Expression {
  public Expression Left, Right;
  public override int Value (int x) { return Left.Value (x) + Right.Value (x); }
}

class Power : Expression {
  public Expression Base;

  public override int Value (int x)
  {
    int b = Base.Value (x), result = 1;
    for (int i = 0; i < 60; i++)
      result = result * b + i;
    return result;
  }
}

class Item {
  public Item Next;
  public long Number;
}

class Refused : Exception { }

class Program {
  static object sink;
  static readonly object gate = new object ();
  static int total;

  static Expression Grow (int depth)
  {
    if (depth == 0)
      return new Power { Base = new Variable () };
    return new Sum { Left = Grow (depth - 1), Right = depth % 3 == 0 ? new Constant { Number = depth } : Grow (depth - 1) };
  }

  // An interpreter: some 15 million virtual calls a second.
  static void Calls ()
  {
    var expression = Grow (8);
    for (int i = 0; i < 500000; i++)
      total += expression.Value (i);
  }

  // Nothing but allocations: lists of small objects, strings, arrays.
  static void Allocs ()
  {
    for (int i = 0; i < 3200000; i++) {
      Item list = null;
      for (int k = 0; k < 10; k++)
        list = new Item { Next = list, Number = k };
      for (int k = 0; k < 3; k++) {
        sink = new string ('x', 40 + i % 40);
        sink = new int[i % 200];
        sink = new byte[500];
      }
      sink = list;
    }
  }

  static int Work (int n)
  {
    int x = n;
    for (int i = 0; i < 200; i++)
      x = x * 31 + i;
    return x;
  }

  [MethodImpl (MethodImplOptions.NoInlining)]
  static int Checked (int i)
  {
    if (i % 2000 == 0)
      throw new Refused ();
    return Work (i);
  }

  static int Each (IEnumerable<int> list, int i)
  {
    int sum = 0;
    foreach (int x in list)
      lock (gate)
        sum += Checked (i + x);
    return sum;
  }

  // Blocks of finally, as foreach and lock have them, and now and then an exception.
  static void Finally ()
  {
    var list = new List<int> { 1, 2, 3 };
    for (int i = 0; i < 3000000; i++)
      try {
        total += Each (list, i);
      } catch (Refused) {
        total++;
      }
  }

  static void Run (int threads, Action action)
  {
    var all = Enumerable.Range (0, threads).Select (_ => new Thread (() => action ())).ToList ();
    all.ForEach (t => t.Start ());
    all.ForEach (t => t.Join ());
  }

  // Four threads that share a lock, for a hundredth of their time.
  static void Locks ()
  {
    Run (4, () => {
      for (int i = 0; i < 150000; i++) {
        int x = 0;
        for (int k = 0; k < 20; k++)
          x += Work (i + k);
        lock (gate)
          total += x;
      }
    });
  }

  // Ten threads that work a little and sleep or wait for each other.
  static void Waits ()
  {
    var turn = new SemaphoreSlim (2);
    Run (10, () => {
      for (int i = 0; i < 400; i++) {
        for (int k = 0; k < 1800; k++)
          sink = Work (k);
        if (i % 2 == 0)
          Thread.Sleep (3);
        else {
          turn.Wait ();
          Thread.Sleep (1);
          turn.Release ();
        }
      }
    });
  }

  static void Main (string[] arguments)
  {
    switch (arguments[0]) {
    case "calls": Calls (); break;
    case "allocs": Allocs (); break;
    case "finally": Finally (); break;
    case "locks": Locks (); break;
    case "waits": Waits (); break;
    }
  }
}
