// attached.cs MODE... -- works until its input ends, prints its process id first, and at the end the truth.
// Modes: alloc, some (allocations, few), throw, start (threads), spin, hash, native (waits in a P/Invoke), keep (a list that grows), lock,
// elsewhere (a list of 1000 in another domain, which is there when it prints the process id),
// vary (calls many methods of mscorlib, which is compiled ahead of time), signals (leaves no real-time signal to others), clock (prints now and then the time, by the system's clock, and how many exceptions were thrown up to then).
// At each line of its input it prints the truth up to now.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Threading;

class Kept { public Kept Next; public byte[] Data = new byte[64]; }
class Passing { public int Value; }

class Attached {
  [DllImport ("libc")] static extern int usleep (uint us);
  [DllImport ("libc")] static extern IntPtr signal (int number, IntPtr handler);
  struct Timespec { public long Seconds, Nanoseconds; }
  [DllImport ("libc")] static extern int clock_gettime (int clock, out Timespec time);

  const int Monotonic = 1, ThreadTime = 3;
  static long Clock (int clock = ThreadTime)
  {
    Timespec time;
    clock_gettime (clock, out time);
    return time.Seconds * 1000000000 + time.Nanoseconds;
  }

  static volatile bool over;
  static long allocated, thrown, started, locked, kept;
  static Kept head;
  static readonly object gate = new object ();

  static void Alloc () { while (!over) { for (int i = 0; i < 1000; i++) new Passing (); Interlocked.Add (ref allocated, 1000); } }
  static void Some () { while (!over) { for (int i = 0; i < 50; i++) new Passing (); Interlocked.Add (ref allocated, 50); Thread.Sleep (1); } }
  static void Throw () { while (!over) { try { throw new InvalidOperationException (); } catch (Exception) { Interlocked.Increment (ref thrown); } Thread.Sleep (1); } }
  static void Start () { while (!over) { var t = new Thread (() => Interlocked.Increment (ref started)); t.Start (); t.Join (); } }
  // These two state the processor time of their threads.
  static long spun, hashed, result;
  static void Spin () { long x = 1; while (!over) { for (int i = 0; i < 100000; i++) x = x * 31 + i; spun = Clock (); } result += x; }
  static void Hash () { uint x = 17; while (!over) { for (int i = 0; i < 50000; i++) x = (x ^ (uint) i) * 16777619; hashed = Clock (); Thread.Sleep (0); if ((x & 7) == 0) Thread.Sleep (1); } result += x; }
  static void Native () { while (!over) usleep (200000); }
  static void Keep () { while (!over) { for (int i = 0; i < 50; i++) head = new Kept { Next = head }; kept++; Thread.Sleep (1); } }
  static void Elsewhere () { AppDomain.CreateDomain ("elsewhere").DoCallBack (() => { for (int i = 0; i < 1000; i++) head = new Kept { Next = head }; }); }
  static void Lock () { while (!over) { lock (gate) { locked++; Thread.Sleep (1); } } }

  static void Print () { while (!over) { long before = Clock (Monotonic), count = Interlocked.Read (ref thrown); Console.WriteLine ("at " + before + " " + Clock (Monotonic) + " " + count); Thread.Sleep (20); } }

  static bool IsSimple (Type type) { return type.IsPrimitive || type == typeof (string) || type == typeof (DateTime) || type == typeof (decimal); }

  static void Vary ()
  {
    var methods = new List<MethodInfo> ();
    var others = new List<Type> { typeof (Console), typeof (Environment), typeof (GC), typeof (AppDomain) };
    foreach (var type in typeof (string).Assembly.GetTypes ())
      if ((type.Namespace == "System" || type.Namespace == "System.Text" || type.Namespace == "System.Globalization") && !others.Contains (type)) foreach (var method in type.GetMethods (BindingFlags.Public | BindingFlags.Static))
        if (!method.ContainsGenericParameters && IsSimple (method.ReturnType) && Array.TrueForAll (method.GetParameters (), p => IsSimple (p.ParameterType)))
          methods.Add (method);
    while (!over)
      foreach (var method in methods) {
        var values = Array.ConvertAll (method.GetParameters (), p => p.ParameterType == typeof (string) ? "1" : Activator.CreateInstance (p.ParameterType));
        for (int i = 0; i < 20 && !over; i++)
          try { method.Invoke (null, values); } catch (TargetInvocationException) { }
      }
  }

  // Ignores those that have no handler.
  static void Signals ()
  {
    for (int number = 34; number <= 64; number++) {
      var before = signal (number, new IntPtr (1));
      if (before != IntPtr.Zero)
        signal (number, before);
    }
  }

  static int Main (string[] modes) {
    var threads = new List<Thread> ();
    foreach (var mode in modes) {
      ThreadStart work = mode == "alloc" ? Alloc : mode == "some" ? Some : mode == "throw" ? Throw : mode == "start" ? Start : mode == "spin" ? Spin : mode == "hash" ? Hash
        : mode == "native" ? Native : mode == "lock" ? Lock : mode == "clock" ? Print : mode == "vary" ? Vary : mode == "signals" ? Signals : mode == "elsewhere" ? Elsewhere : (ThreadStart) Keep;
      var thread = new Thread (work) { Name = mode };
      thread.Start ();
      if (mode == "elsewhere")
        thread.Join ();
      threads.Add (thread);
    }
    Console.WriteLine ("pid " + Process.GetCurrentProcess ().Id);
    while (Console.ReadLine () != null)
      Console.WriteLine ("thrown " + Interlocked.Read (ref thrown) + " cpu " + Interlocked.Read (ref spun) + " "
        + Interlocked.Read (ref hashed));
    over = true;
    foreach (var thread in threads)
      thread.Join ();
    var missing = new List<string> ();
    foreach (var mode in modes)
      if (mode == "alloc" && allocated == 0 || mode == "throw" && thrown == 0 || mode == "start" && started == 0
          || mode == "keep" && kept == 0 || mode == "lock" && locked == 0)
        missing.Add (mode);
    Console.WriteLine ("ended" + string.Concat (missing));
    return 7;
  }
}
