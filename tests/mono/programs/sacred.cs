// sacred MODE [GO]: does one thing that a profiler might disturb, and prints what came of it.  What it prints and how
// it ends is the same in each run, but for modes that test-sacred lists with several plain runs.
// With GO it writes its process id to GO.pid first, and waits until the file GO exists.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;

class Far : MarshalByRefObject {
  object kept;

  public void Work ()
  {
    for (;;)
      kept = new object ();
  }
}

class Finalized {
  public static int Count;
  ~Finalized () { Interlocked.Increment (ref Count); }
}

class ExitInFinalizer {
  ~ExitInFinalizer () { Environment.Exit (11); }
}

class Node {
  public Node Next;
  public byte[] Data = new byte[60];
}

[StructLayout (LayoutKind.Sequential)] struct Timespec { public long Seconds, Nanoseconds; }

static class Libc {
  public delegate int Compare (IntPtr a, IntPtr b);
  [DllImport ("libc")] public static extern void _exit (int status);
  [DllImport ("libc")] public static extern void exit (int status);
  [DllImport ("libc")] public static extern void abort ();
  [DllImport ("libc")] public static extern int getpid ();
  [DllImport ("libc")] public static extern int kill (int pid, int signal);
  [DllImport ("libc")] public static extern int waitpid (int pid, out int status, int options);
  [DllImport ("libc")] public static extern int execl (string file, string name, string a, string b, IntPtr end);
  [DllImport ("libc")] public static extern IntPtr memset (IntPtr p, int c, IntPtr n);
  [DllImport ("libc")] public static extern int close (int descriptor);
  [DllImport ("libc")] public static extern int setrlimit (int resource, long[] limits);
  [DllImport ("libc", SetLastError = true)] public static extern int usleep (uint us);
  [DllImport ("libc", SetLastError = true)] public static extern int poll (IntPtr fds, ulong n, int ms);
  [DllImport ("libc", SetLastError = true)] public static extern int nanosleep (ref Timespec time, IntPtr rest);
  [DllImport ("libc", SetLastError = true)] public static extern int select (int n, IntPtr r, IntPtr w, IntPtr e, ref Timespec us);
  [DllImport ("libc", SetLastError = true)] public static extern int epoll_create (int size);
  [DllImport ("libc", SetLastError = true)] public static extern int epoll_wait (int set, byte[] events, int n, int ms);
  [DllImport ("libc", SetLastError = true)] public static extern int sem_init (IntPtr semaphore, int shared, uint value);
  [DllImport ("libc", SetLastError = true)] public static extern int sem_timedwait (IntPtr semaphore, ref Timespec until);
  [DllImport ("libc", SetLastError = true)] public static extern int open (string file, int flags, int mode);
  [DllImport ("libc")] public static extern int clock_gettime (int clock, out Timespec time);
  [DllImport ("libc")] public static extern void qsort (int[] values, IntPtr n, IntPtr size, Compare compare);
}

static class Sacred {
  static volatile object sink;
  static volatile int result;
  static bool usesPool;
  static readonly object gate = new object ();
  static readonly Dictionary<string, Action> modes = new Dictionary<string, Action> {
    { "abort-threads", AbortThreads },
    { "abort-waiting", AbortWaiting },
    { "exit-busy", ExitBusy },
    { "failfast", () => Environment.FailFast ("enough") },
    { "failfast-busy", () => { StartBusy (2); Environment.FailFast ("enough"); } },
    { "abort", Libc.abort },
    { "abort-busy", () => { StartBusy (2); Libc.abort (); } },
    { "segv", () => Libc.memset ((IntPtr) 8, 1, (IntPtr) 1) },
    { "segv-busy", () => { StartBusy (2); Libc.memset ((IntPtr) 8, 1, (IntPtr) 1); } },
    { "overflow", () => result = Over (0) },
    { "unhandled", () => { throw new InvalidOperationException ("not caught"); } },
    { "unhandled-thread", UnhandledThread },
    { "exit-in-finalizer", ExitFromFinalizer },
    { "c-exit", () => { StartBusy (2); Libc.exit (13); } },
    { "_exit", () => { StartBusy (2); Libc._exit (12); } },
    { "kill", () => End (9) },
    { "term", () => End (15) },
    { "int", () => End (2) },
    { "exit-300", () => result = 300 },
    { "exit-negative", () => Environment.Exit (-1) },
    { "unload", Unload },
    { "native-sleeps", NativeSleeps },
    { "managed-sleeps", ManagedSleeps },
    { "socket", Socket },
    { "child", Child },
    { "signals", Signals },
    { "stop-continue", StopContinue },
    { "fork", Fork },
    { "exec", () => Libc.execl ("/bin/sh", "sh", "-c", "echo executed; exit 9", IntPtr.Zero) },
    { "short-threads", ShortThreads },
    { "finalizers", Finalizers },
    { "timers", Timers },
    { "tasks", Tasks },
    { "starvation", Starvation },
    { "interrupt", Interrupt },
    { "mixed", Mixed },
    { "input", Input },
    { "output", Output },
    { "close-all", CloseAll },
    { "rlimit", Rlimit },
    { "faults", Faults },
    { "collect", Collect },
    { "recursion", Recursion },
    { "dynamic", Dynamic },
    { "locks", Locks },
    { "callbacks", Callbacks },
    { "weak", Weak },
    { "throws", Throws },
  };

  static int Main (string[] args)
  {
    if (args.Length > 1 && args[1] != "-")
      WaitFor (args[1]);
    Console.WriteLine ("begin");
    Console.Out.Flush ();
    modes[args[0]] ();
    Console.WriteLine ("end");
    // At the end of Main the runtime itself now and then waits up to a minute for an idle worker of the pool.
    if (usesPool)
      Environment.Exit (result);
    return result;
  }

  static void WaitFor (string go)
  {
    File.WriteAllText (go + ".new", Libc.getpid ().ToString ());
    if (!File.Exists (go + ".pid"))
      File.Move (go + ".new", go + ".pid");
    while (!File.Exists (go))
      Thread.Sleep (2);
  }

  static Thread Start (Action action)
  {
    var thread = new Thread (() => action ()) { IsBackground = true };
    thread.Start ();
    return thread;
  }

  static void Run (params Action[] actions)
  {
    foreach (var thread in actions.Select (Start).ToList ())
      thread.Join ();
  }

  static void Print (string what, object value)
  {
    lock (modes)
      Console.WriteLine ("{0} {1}", what, value);
  }

  static void Allocate ()
  {
    for (;;)
      sink = new byte[50];
  }

  static void Throw ()
  {
    for (int i = 0;; i++) {
      sink = new Node ();
      if (i % 100 == 0)
        try {
          throw new InvalidOperationException ();
        } catch (InvalidOperationException) {
        }
    }
  }

  static void StartBusy (int n)
  {
    for (int i = 0; i < n; i++)
      Start (Allocate);
    Thread.Sleep (50);
  }

  // ---- ends ----

  static void AbortThreads ()
  {
    int ended = 0;
    for (int i = 0; i < 100; i++) {
      bool busy = false;
      var job = Start (() => {
        try {
          for (double x = 1;; x = x * 1.0000001 + i)
            Volatile.Write (ref busy, true);
        } catch (ThreadAbortException) {
          Thread.ResetAbort ();
          Interlocked.Increment (ref ended);
        }
      });
      while (!Volatile.Read (ref busy))
        Thread.Sleep (0);
      Thread.Sleep (1);
      job.Abort ();
      job.Join ();
    }
    Print ("ended jobs", ended);
  }

  static void AbortWaiting ()
  {
    int ended = 0;
    Action<Action> end = wait => {
      bool begun = false;
      var job = Start (() => {
        try {
          Volatile.Write (ref begun, true);
          wait ();
        } catch (ThreadAbortException) {
          Interlocked.Increment (ref ended);
        }
      });
      while (!Volatile.Read (ref begun))
        Thread.Sleep (0);
      Thread.Sleep (1);
      job.Abort ();
      job.Join ();
    };
    StartBusy (1);
    for (int i = 0; i < 10; i++) {
      end (() => Thread.Sleep (-1));
      end (() => new ManualResetEvent (false).WaitOne ());
      end (() => { lock (new object ()) Allocate (); });
    }
    Print ("ended waits", ended);
  }

  static void ExitBusy ()
  {
    for (int i = 0; i < 6; i++)
      Start (Throw);
    ThreadPool.QueueUserWorkItem (_ => {
      Thread.Sleep (60);
      Print ("leaving", 7);
      Environment.Exit (7);
    });
    Thread.Sleep (-1);
  }

  [MethodImpl (MethodImplOptions.NoInlining)]
  static int Over (int n)
  {
    return Over (n + 1) + n;
  }

  static void UnhandledThread ()
  {
    Start (() => { throw new ApplicationException ("in a thread"); });
    Thread.Sleep (-1);
  }

  static void ExitFromFinalizer ()
  {
    Run (() => new ExitInFinalizer ());
    for (;;) {
      GC.Collect ();
      Thread.Sleep (20);
    }
  }

  static void End (int signal)
  {
    StartBusy (2);
    Libc.kill (Libc.getpid (), signal);
    Thread.Sleep (-1);
  }

  static void Unload ()
  {
    for (int i = 0; i < 3; i++) {
      var domain = AppDomain.CreateDomain ("other");
      var far = (Far) domain.CreateInstanceFromAndUnwrap (typeof (Far).Assembly.Location, "Far");
      var thread = Start (() => {
        try {
          far.Work ();
        } catch (Exception) {
        }
      });
      Thread.Sleep (30);
      AppDomain.Unload (domain);
      thread.Join ();
    }
    Print ("unloaded", 3);
  }

  // ---- waits ----

  // A wait of 400 ms: shorter by how much, if it is; how it ended.  It may be longer on a busy machine.
  static Action Wait (string name, Func<int> wait)
  {
    return () => {
      var watch = Stopwatch.StartNew ();
      int status = wait ();
      int error = status < 0 ? Marshal.GetLastWin32Error () : 0;
      // By the clock a wait may be a little shorter than by the timer.
      long ms = (watch.ElapsedMilliseconds + 5) / 50 * 50;
      Print (name, string.Format ("{0} ms, status {1}, error {2}", Math.Min (ms, 400), status, error));
    };
  }

  static int WaitForSemaphore ()
  {
    IntPtr semaphore = Marshal.AllocHGlobal (64);
    Timespec time;
    Libc.sem_init (semaphore, 0, 0);
    Libc.clock_gettime (0, out time);
    time.Nanoseconds += 400000000;
    time.Seconds += time.Nanoseconds / 1000000000;
    time.Nanoseconds %= 1000000000;
    return Libc.sem_timedwait (semaphore, ref time);
  }

  static int NanoSleep ()
  {
    var time = new Timespec { Nanoseconds = 400000000 };
    return Libc.nanosleep (ref time, IntPtr.Zero);
  }

  static int Select ()
  {
    var time = new Timespec { Nanoseconds = 400000 };
    return Libc.select (0, IntPtr.Zero, IntPtr.Zero, IntPtr.Zero, ref time);
  }

  static void NativeSleeps ()
  {
    int epoll = Libc.epoll_create (1);
    var waits = new[] {
      Wait ("usleep", () => Libc.usleep (400000)),
      Wait ("poll", () => Libc.poll (IntPtr.Zero, 0, 400)),
      Wait ("nanosleep", NanoSleep),
      Wait ("select", Select),
      Wait ("epoll_wait", () => Libc.epoll_wait (epoll, new byte[64], 1, 400)),
      Wait ("sem_timedwait", WaitForSemaphore),
    };
    // Some processor time before each, so that samples have a reason.
    foreach (var thread in waits.Select (wait => Start (() => { Spin (3000000); wait (); })).ToList ())
      thread.Join ();
  }

  static void Spin (int n)
  {
    int x = 1;
    for (int i = 0; i < n; i++)
      x = x * 31 + i;
    sink = x;
  }

  static int WaitForMonitor ()
  {
    var monitor = new object ();
    lock (monitor)
      return Monitor.Wait (monitor, 400) ? 1 : 0;
  }

  static void ManagedSleeps ()
  {
    usesPool = true;
    StartBusy (1);
    Run (Wait ("Sleep", () => { Thread.Sleep (400); return 0; }),
         Wait ("event", () => new ManualResetEvent (false).WaitOne (400) ? 1 : 0),
         Wait ("Monitor.Wait", WaitForMonitor),
         Wait ("Task.Delay", () => Task.Delay (400).Wait (20000) ? 0 : 1));
  }

  static void Socket ()
  {
    var listener = new TcpListener (IPAddress.Loopback, 0);
    listener.Start ();
    var client = new TcpClient ();
    client.Connect ((IPEndPoint) listener.LocalEndpoint);
    var server = listener.AcceptSocket ();
    Start (() => { Thread.Sleep (1000); server.Send (new byte[1]); });
    Wait ("socket", () => client.GetStream ().Read (new byte[1], 0, 1)) ();
  }

  static void Child ()
  {
    StartBusy (1);
    Wait ("child", () => {
      var child = Process.Start (new ProcessStartInfo ("/bin/sh", "-c 'sleep 0.4; exit 5'") { UseShellExecute = false });
      child.WaitForExit ();
      return child.ExitCode;
    }) ();
    var echo = new ProcessStartInfo ("/bin/cat") {
      UseShellExecute = false, RedirectStandardOutput = true, RedirectStandardInput = true
    };
    var cat = Process.Start (echo);
    cat.StandardInput.Write ("through a pipe");
    cat.StandardInput.Close ();
    Print ("cat", cat.StandardOutput.ReadToEnd ());
    cat.WaitForExit ();
  }

  // ---- signals and processes ----

  [DllImport ("sacred-native")] static extern void count_signals (int number);
  [DllImport ("sacred-native")] static extern int signals_seen (int number);
  [DllImport ("sacred-native")] static extern int fork_exit (int status);

  static void Signals ()
  {
    StartBusy (1);
    int[] numbers = { 10, 12, 1, 48, 60 }; // USR1, USR2, HUP, of real time
    foreach (int number in numbers) {
      count_signals (number);
      for (int i = 1; i <= 30; i++) {
        Libc.kill (Libc.getpid (), number);
        while (signals_seen (number) < i)
          Thread.Sleep (1);
      }
      Thread.Sleep (5);
      Print ("signal " + number, signals_seen (number));
    }
  }

  static void StopContinue ()
  {
    StartBusy (2);
    for (int i = 0; i < 3; i++) {
      int pid = Libc.getpid ();
      Process.Start (new ProcessStartInfo ("/bin/sh", "-c 'kill -STOP " + pid + "; sleep 0.1; kill -CONT " + pid + "'") {
        UseShellExecute = false
      }).WaitForExit ();
    }
    Print ("stopped", 3);
  }

  static void Fork ()
  {
    StartBusy (1);
    for (int i = 0; i < 5; i++) {
      // In C: in a child that runs managed code the runtime itself hangs now and then.
      int status;
      Libc.waitpid (fork_exit (3), out status, 0);
      Print ("child", status >> 8);
    }
  }

  // ---- work ----

  static void ShortThreads ()
  {
    int ran = 0;
    for (int i = 0; i < 200; i++)
      Run (Enumerable.Repeat<Action> (() => { sink = new Node (); Interlocked.Increment (ref ran); }, 5).ToArray ());
    Print ("threads", ran);
  }

  static void Finalizers ()
  {
    Run (() => {
      for (int i = 0; i < 20000; i++)
        sink = new Finalized ();
      sink = null;
    });
    for (int i = 0; i < 200 && Finalized.Count < 19900; i++) {
      GC.Collect ();
      GC.WaitForPendingFinalizers ();
    }
    // A stale word of a stack may keep some.
    Print ("finalized", Finalized.Count >= 19900);
  }

  static void Timers ()
  {
    usesPool = true;
    int ticks = 0;
    var done = new ManualResetEvent (false);
    using (new Timer (_ => { Spin (10000); if (Interlocked.Increment (ref ticks) == 20) done.Set (); }, null, 0, 10))
      Print ("ticked", done.WaitOne (20000));
  }

  static async Task<int> Double (int n)
  {
    await Task.Delay (n % 5);
    await Task.Yield ();
    return 2 * n;
  }

  static void Tasks ()
  {
    usesPool = true;
    long sum = 0;
    Parallel.For (0, 2000, i => { Spin (1000); Interlocked.Add (ref sum, i); });
    Print ("sum", sum);
    Print ("doubled", Task.WhenAll (Enumerable.Range (0, 100).Select (Double)).Result.Sum ());
  }

  static void Starvation ()
  {
    // All threads of the pool wait, and the work behind them too.
    usesPool = true;
    int ended = 0;
    var tasks = Enumerable.Range (0, 4 * Environment.ProcessorCount).Select (i => Task.Run (() => Thread.Sleep (100)))
      .Concat (Enumerable.Range (0, 200).Select (i => Task.Run (() => { Spin (1000); Interlocked.Increment (ref ended); })))
      .ToArray ();
    Task.WaitAll (tasks);
    Print ("after others", ended);
  }

  static void Interrupt ()
  {
    int interrupted = 0;
    for (int i = 0; i < 60; i++) {
      int kind = i % 3;
      var thread = Start (() => {
        Spin (100000);
        try {
          if (kind == 0)
            Thread.Sleep (-1);
          else if (kind == 1)
            new ManualResetEvent (false).WaitOne ();
          else
            lock (gate) Monitor.Wait (gate);
        } catch (ThreadInterruptedException) {
          Interlocked.Increment (ref interrupted);
        }
      });
      Thread.Sleep (1);
      thread.Interrupt ();
      thread.Join ();
    }
    Print ("interrupted", interrupted);
  }

  static void Mixed ()
  {
    Run (Locks, Callbacks, Dynamic, Throws);
  }

  static void Input ()
  {
    long sum = 0;
    int lines = 0;
    for (string line; (line = Console.In.ReadLine ()) != null; lines++)
      sum += long.Parse (line);
    Print ("lines " + lines + " sum", sum);
  }

  static void Output ()
  {
    var bytes = Enumerable.Range (0, 256).Select (i => (byte) i).ToArray ();
    var output = Console.OpenStandardOutput ();
    for (int i = 0; i < 500; i++) {
      output.Write (bytes, 0, 256);
      Console.Error.WriteLine ("line {0} of standard error", i);
    }
  }

  static void CloseAll ()
  {
    StartBusy (1);
    for (int descriptor = 3; descriptor < 1024; descriptor++)
      Libc.close (descriptor);
    Spin (50000000);
    GC.Collect ();
  }

  static void Rlimit ()
  {
    Libc.setrlimit (7, new long[] { 12, 12 }); // files
    StartBusy (1);
    int opened = 0;
    while (Libc.open ("/dev/null", 0, 0) >= 0)
      opened++;
    Print ("there is an end of files", opened <= 12);
    Spin (20000000);
    GC.Collect ();
    Thread.Sleep (100);
  }

  // The runtime gets SIGSEGV and SIGFPE for these.
  static void Fault ()
  {
    int caught = 0;
    for (int i = 0; i < 3000; i++) {
      try {
        Node node = i < 0 ? new Node () : null;
        sink = node.Next;
      } catch (NullReferenceException) {
        caught++;
      }
      try {
        caught += i / (caught - caught);
      } catch (DivideByZeroException) {
        caught++;
      }
    }
    Print ("caught", caught);
  }

  static void Faults ()
  {
    Run (Fault, Fault, Fault);
  }

  static void Collect ()
  {
    bool over = false;
    var threads = Enumerable.Range (0, 3).Select (_ => Start (() => {
      Node head = null;
      for (int i = 0; !Volatile.Read (ref over); i++)
        head = i % 1000 == 0 ? null : new Node { Next = head };
    })).ToList ();
    for (int i = 0; i < 30; i++)
      GC.Collect (i % 2);
    Volatile.Write (ref over, true);
    foreach (var thread in threads)
      thread.Join ();
    Print ("collected", GC.CollectionCount (0) >= 15 && GC.CollectionCount (1) >= 15);
  }

  [MethodImpl (MethodImplOptions.NoInlining)]
  static int Down (int n)
  {
    if (n > 0)
      return Down (n - 1) + 1;
    Spin (1000000);
    sink = new Node ();
    throw new InvalidOperationException ();
  }

  static void Recursion ()
  {
    int caught = 0;
    var thread = new Thread (() => {
      for (int i = 0; i < 5; i++)
        try {
          Down (10000);
        } catch (InvalidOperationException) {
          caught++;
        }
    }, 256 << 20);
    thread.Start ();
    thread.Join ();
    Print ("caught", caught);
  }

  static void Dynamic ()
  {
    long sum = 0;
    for (int i = 0; i < 150; i++) {
      var method = new DynamicMethod ("rule" + i, typeof (int), new[] { typeof (int) });
      var il = method.GetILGenerator ();
      il.Emit (OpCodes.Ldarg_0);
      il.Emit (OpCodes.Ldc_I4, i);
      il.Emit (OpCodes.Add);
      il.Emit (OpCodes.Ret);
      var rule = (Func<int, int>) method.CreateDelegate (typeof (Func<int, int>));
      for (int k = 0; k < 5000; k++)
        sum += rule (k);
    }
    Print ("rules", sum);
  }

  static void Locks ()
  {
    int count = 0;
    Action add = () => {
      for (int i = 0; i < 20000; i++)
        lock (gate) {
          count++;
          if (i % 2000 == 0)
            Thread.Sleep (0);
        }
    };
    Run (add, add, add, add);
    Print ("locked", count);
  }

  static void Callbacks ()
  {
    int calls = 0;
    Libc.Compare compare = (a, b) => {
      calls++;
      if (calls % 5000 == 0)
        GC.Collect (0);
      return Marshal.ReadInt32 (a).CompareTo (Marshal.ReadInt32 (b));
    };
    var values = new int[4000];
    for (int i = 0; i < values.Length; i++)
      values[i] = (int) (i * 2654435761L % 100003);
    var pin = GCHandle.Alloc (values, GCHandleType.Pinned);
    for (int i = 0; i < 3; i++)
      Libc.qsort (values, (IntPtr) values.Length, (IntPtr) 4, compare);
    bool sorted = true;
    for (int i = 1; i < values.Length; i++)
      sorted &= values[i - 1] <= Marshal.ReadInt32 (pin.AddrOfPinnedObject (), 4 * i);
    pin.Free ();
    Print ("sorted " + sorted + " calls", calls);
  }

  static void Weak ()
  {
    var held = new object ();
    WeakReference dead = null, alive = new WeakReference (held);
    var table = new ConditionalWeakTable<object, Node> ();
    table.Add (held, new Node ());
    Run (() => {
      dead = new WeakReference (new Node ());
      for (int i = 0; i < 100; i++)
        sink = new Node ();
      Spin (10000000);
    });
    for (int i = 0; i < 100 && dead.IsAlive; i++) {
      GC.Collect ();
      Thread.Sleep (1);
    }
    Node found;
    Print ("dead", !dead.IsAlive);
    Print ("alive", alive.IsAlive && table.TryGetValue (held, out found));
    GC.KeepAlive (held);
  }

  static int Throw (int n)
  {
    try {
      if (n == 0)
        throw new ArgumentException ("deepest");
      return Throw (n - 1);
    } finally {
      sink = new Node ();
    }
  }

  static void Throws ()
  {
    int caught = 0;
    Action work = () => {
      for (int i = 0; i < 300; i++)
        try {
          Throw (10);
        } catch (ArgumentException e) {
          if (e.StackTrace.Contains ("Throw"))
            Interlocked.Increment (ref caught);
        }
    };
    Run (work, work, work, work);
    Print ("caught", caught);
  }
}
