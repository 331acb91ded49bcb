// frames ROUNDS -- allocates a Mark below frames of many kinds: of generic methods, delegates, reflection, callbacks of
// native code, dynamic methods, handlers and filters of exceptions, large and variable frames, other domains, recursion.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Linq.Expressions;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;

class Mark { public long A, B; }

struct Large { public long A, B, C, D, E, F, G, H; }

class Box<T> {
  [MethodImpl (MethodImplOptions.NoInlining)]
  public static object Make () { return new Mark (); }
  [MethodImpl (MethodImplOptions.NoInlining)]
  public virtual object Call<U> (T t, U u) { return Make (); }
}

class Probe {
  static object sink;
  delegate int Compare (IntPtr a, IntPtr b);
  [DllImport ("libc")] static extern void qsort (int[] items, IntPtr count, IntPtr size, Compare compare);

  [MethodImpl (MethodImplOptions.NoInlining)]
  static object Make () { return new Mark (); }

  [MethodImpl (MethodImplOptions.NoInlining)]
  static unsafe object Variable (int n)
  {
    byte *bytes = stackalloc byte[16 * n];
    bytes[0] = 1;
    return n > 1 ? Variable (n - 1) : Make ();
  }

  [MethodImpl (MethodImplOptions.NoInlining)]
  static object Wide (Large a, Large b, long x)
  {
    Large c = a, d = b, e = c;
    c.A = x; d.B = x; e.C = a.A + b.B;
    object o = Make ();
    sink = c.A + d.B + e.C;
    return o;
  }

  [MethodImpl (MethodImplOptions.NoInlining)]
  static object Many (object a, object b, object c, object d, object e, object f, int g, int h, double i)
  {
    object x = Make (), y = Make ();
    sink = a ?? b ?? c ?? d ?? e ?? f;
    return g + h > i ? x : y;
  }

  [MethodImpl (MethodImplOptions.NoInlining)]
  static object Deep (int n) { object o = n == 0 ? Make () : Deep (n - 1); sink = o; return o; }

  static bool Filter () { sink = Make (); return true; }

  static void Handlers ()
  {
    try {
      try { throw new InvalidOperationException (); }
      finally { sink = Make (); }
    }
    catch (InvalidOperationException) when (Filter ()) { sink = Make (); }
  }

  static int CompareInts (IntPtr a, IntPtr b)
  {
    sink = Make ();
    return Marshal.ReadInt32 (a) - Marshal.ReadInt32 (b);
  }

  static Func<object> Dynamic ()
  {
    var method = new DynamicMethod ("emitted", typeof (object), Type.EmptyTypes, typeof (Probe).Module, true);
    var il = method.GetILGenerator ();
    il.Emit (OpCodes.Call, typeof (Probe).GetMethod ("Make", BindingFlags.Static | BindingFlags.NonPublic));
    il.Emit (OpCodes.Ret);
    return (Func<object>) method.CreateDelegate (typeof (Func<object>));
  }

  static IEnumerable<object> Lazy (int n) { for (int i = 0; i < n; i++) yield return Make (); }

  [MethodImpl (MethodImplOptions.Synchronized | MethodImplOptions.NoInlining)]
  static object Locked () { return Make (); }

  static void All (int round)
  {
    sink = Make ();
    sink = Box<string>.Make ();
    sink = Box<int>.Make ();
    sink = new Box<object> ().Call ("", 1);
    sink = new Box<Large> ().Call (new Large (), "");
    for (int n = 1; n < 5; n++)
      sink = Variable (n);
    sink = Wide (new Large (), new Large (), round);
    sink = Many (null, null, null, null, null, null, round, 2, 3.0);
    for (int n = 0; n < 60; n += 7)
      sink = Deep (n);
    Handlers ();
    var numbers = new[] { 3, 1, 2 };
    qsort (numbers, (IntPtr) 3, (IntPtr) 4, CompareInts);
    sink = Dynamic () ();
    sink = typeof (Probe).GetMethod ("Make", BindingFlags.Static | BindingFlags.NonPublic).Invoke (null, null);
    sink = Activator.CreateInstance (typeof (Mark));
    sink = Lazy (3).Select (o => Make ()).Where (o => o != null).ToList ();
    Array.Sort (new[] { 5, 4, 6 }, (a, b) => { sink = Make (); return a - b; });
    sink = Locked ();
    var thread = new Thread (() => { sink = Make (); sink = Deep (3); });
    thread.Start ();
    thread.Join ();
    if (round % 8 != 0)
      return;
    var domain = AppDomain.CreateDomain ("other");
    domain.DoCallBack (InDomain);
    AppDomain.Unload (domain);
    Expression<Func<object>> made = () => Make ();
    sink = made.Compile () ();
  }

  static void InDomain () { for (int i = 0; i < 3; i++) { sink = Make (); sink = Box<string>.Make (); } }

  static void Main (string[] arguments)
  {
    for (int round = 0; round < int.Parse (arguments[0]); round++)
      All (round);
  }
}
