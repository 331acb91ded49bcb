// Allocations in all kinds of calls: each of class Mark, so that their backtraces can be compared.
using System;
using System.Collections;
using System.Collections.Generic;
using System.Reflection;
using System.Threading;
using System.Threading.Tasks;

class Mark {
  static object last;
  public static int Count;
  public static int Make (int n)
  {
    for (int i = 0; i < n; i++)
      last = new Mark ();
    Count += n;
    return n;
  }
}

class Trouble : Exception {
  public Trouble () { Mark.Make (1); }
}

interface IShape {
  int Area ();
}

struct Square : IShape {
  public int Side;
  public int Area () { return Mark.Make (Side); }
}

abstract class Base {
  public abstract int Run (int n);
  public virtual int Twice (int n) { return Run (n) + Run (n); }
}

class Derived : Base {
  public override int Run (int n) { return Mark.Make (n); }
  public override int Twice (int n) { return base.Twice (n); }
}

class Initialized {
  public static int Value = Mark.Make (3);
}

// Nearly all that these do is to be called.
class Leaves {
  int value;
  public int Value { get { return value; } set { this.value = value; } }
  public Leaves Self { get { return this; } }
  public int Made { get { return Mark.Make (value); } }
  public static int Two () { return 2; }
  public int Use ()
  {
    Value = Two ();
    Mark.Make (Self.Self.Value);
    return Self.Made + Mark.Make (Two ());
  }
}

class Program {
  static int Down (int n) { return n == 0 ? Mark.Make (1) : Down (n - 1); }

  static void Throw (int depth)
  {
    try {
      if (depth == 0)
        throw new Trouble ();
      Throw (depth - 1);
    } finally {
      Mark.Make (1);
    }
  }

  static bool Filter (int n) { return Mark.Make (n) > 1; }

  static void Exceptions ()
  {
    for (int i = 0; i < 20; i++)
      try {
        Throw (i);
      } catch (Trouble) {
        Mark.Make (1);
      }
    for (int i = 1; i < 4; i++)
      try {
        try {
          Throw (3);
        } catch (Trouble) when (Filter (i)) {
          Mark.Make (1);
          throw;
        }
      } catch (Exception) {
        Mark.Make (2);
      }
    try {
      object nothing = null;
      nothing.ToString ();
    } catch (NullReferenceException) {
      Mark.Make (1);
    }
    try {
      int zero = Mark.Count - Mark.Count;
      Mark.Make (10 / zero);
    } catch (DivideByZeroException) {
      Mark.Make (1);
    }
  }

  static IEnumerable<int> Iterate (int n)
  {
    try {
      for (int i = 0; i < n; i++) {
        Mark.Make (1);
        yield return i;
      }
    } finally {
      Mark.Make (2);
    }
  }

  static async Task<int> Async (int n)
  {
    Mark.Make (1);
    if (n > 0)
      await Async (n - 1);
    await Task.FromResult (n);
    return Mark.Make (1);
  }

  static T Generic<T> (T value, Func<T, int> f) where T : struct
  {
    f (value);
    return value;
  }

  static void Abort ()
  {
    var started = new ManualResetEvent (false);
    var thread = new Thread (() => {
      try {
        started.Set ();
        Thread.Sleep (Timeout.Infinite);
      } catch (ThreadAbortException) {
        Mark.Make (1);
        Thread.ResetAbort ();
      }
      Mark.Make (1);
    });
    thread.Start ();
    started.WaitOne ();
    thread.Abort ();
    thread.Join ();
  }

  class Comparer : IComparer {
    public int Compare (object a, object b)
    {
      Mark.Make (1);
      return ((IComparable) a).CompareTo (b);
    }
  }

  static int Main ()
  {
    Mark.Make (5);
    Down (60);
    Exceptions ();
    foreach (int i in Iterate (5))
      Mark.Make (i);
    foreach (int i in Iterate (5))
      if (i == 2)
        break;
    Async (4).Wait ();
    Generic (7, n => Mark.Make (n));
    Generic (7.5, d => Mark.Make (2));
    IShape shape = new Square { Side = 4 };
    shape.Area ();
    Base b = new Derived ();
    b.Twice (3);
    Mark.Make (Initialized.Value);
    typeof (Mark).GetMethod ("Make").Invoke (null, new object[] { 2 });
    Activator.CreateInstance (typeof (Trouble));
    Func<int, int> calls = Mark.Make;
    calls += Down;
    calls (3);
    calls.DynamicInvoke (2);
    Array.Sort (new object[] { 3, 1, 2 }, new Comparer ());
    new List<int> { 3, 1, 2 }.ForEach (n => Mark.Make (n));
    var thread = new Thread (() => Down (10));
    thread.Start ();
    thread.Join ();
    Abort ();
    new Leaves ().Use ();
    Mark.Make (1);
    Console.WriteLine ("objects:Mark {0}", Mark.Count);
    return 0;
  }
}
