// Calls of known methods, a known number of times.  Each method counts itself.
// Prints "calls:METHOD N".  The argument is a number of calls of Leaf in Main.
using System;
using System.Runtime.CompilerServices;
using System.Threading;

namespace Probe {
  class Failure : Exception { }

  static class Calls {
    static long leaf, fib, even, odd, thrower, through, catcher, generic, getter, slow, virtuals, late;

    [MethodImpl (MethodImplOptions.NoInlining)]
    static int Leaf (int x) { leaf++; return x + 1; }

    [MethodImpl (MethodImplOptions.NoInlining)]
    static int Fib (int n) { fib++; return n < 2 ? n : Fib (n - 1) + Fib (n - 2); }

    [MethodImpl (MethodImplOptions.NoInlining)]
    static bool Even (int n) { even++; return n == 0 || Odd (n - 1); }

    [MethodImpl (MethodImplOptions.NoInlining)]
    static bool Odd (int n) { odd++; return n != 0 && Even (n - 1); }

    [MethodImpl (MethodImplOptions.NoInlining)]
    static void Thrower () { thrower++; throw new Failure (); }

    // Left by an exception at every level.
    [MethodImpl (MethodImplOptions.NoInlining)]
    static void Through (int depth)
    {
      through++;
      if (depth > 0)
        Through (depth - 1);
      else
        Thrower ();
      late++;
    }

    [MethodImpl (MethodImplOptions.NoInlining)]
    static void Catcher (int depth)
    {
      catcher++;
      try {
        Through (depth);
      } catch (Failure) {
        Leaf (0);
      }
    }

    [MethodImpl (MethodImplOptions.NoInlining)]
    static T Same<T> (T value) { generic++; return value; }

    static int Property {
      [MethodImpl (MethodImplOptions.NoInlining)]
      get { getter++; return 5; }
    }

    [MethodImpl (MethodImplOptions.NoInlining)]
    static void Slow () { slow++; Thread.Sleep (20); }

    class Base { public virtual void Do () { } }
    class Derived : Base {
      [MethodImpl (MethodImplOptions.NoInlining)]
      public override void Do () { virtuals++; }
    }

    static int Main ()
    {
      string[] arguments = Environment.GetCommandLineArgs ();
      int calls = arguments.Length > 1 ? int.Parse (arguments[1]) : 1000;
      for (int i = 0; i < calls; i++)
        Leaf (i);
      Fib (16);
      for (int i = 0; i < 10; i++)
        Even (40 + i % 2);
      Even (3000);
      for (int i = 0; i < 25; i++)
        Catcher (i % 10);
      for (int i = 0; i < 7; i++)
        Same (i);
      for (int i = 0; i < 11; i++)
        leaf += Property - 5;
      for (int i = 0; i < 3; i++)
        Slow ();
      Base thing = new Derived ();
      for (int i = 0; i < 13; i++)
        thing.Do ();
      var worker = new Thread (() => {
        for (int i = 0; i < 500; i++)
          Leaf (i);
        Catcher (3);
      });
      worker.Start ();
      worker.Join ();
      if (late != 0)
        return 1;
      Console.WriteLine ("calls:Probe.Calls:Main () 1");
      Console.WriteLine ("calls:Probe.Calls:Leaf (int) {0}", leaf);
      Console.WriteLine ("calls:Probe.Calls:Fib (int) {0}", fib);
      Console.WriteLine ("calls:Probe.Calls:Even (int) {0}", even);
      Console.WriteLine ("calls:Probe.Calls:Odd (int) {0}", odd);
      Console.WriteLine ("calls:Probe.Calls:Thrower () {0}", thrower);
      Console.WriteLine ("calls:Probe.Calls:Through (int) {0}", through);
      Console.WriteLine ("calls:Probe.Calls:Catcher (int) {0}", catcher);
      Console.WriteLine ("calls:Probe.Calls:Same<int> (int) {0}", generic);
      Console.WriteLine ("calls:Probe.Calls:get_Property () {0}", getter);
      Console.WriteLine ("calls:Probe.Calls:Slow () {0}", slow);
      Console.WriteLine ("calls:Probe.Calls/Derived:Do () {0}", virtuals);
      Console.WriteLine ("sleep_ms {0}", slow * 20);
      return 0;
    }
  }
}
