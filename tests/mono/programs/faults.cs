// faults COUNTS END: three threads allocate and throw, and count that in a file that outlives them, while the
// process meets its end.  Of each thread the file has two 64-bit numbers: objects and throws.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.IO.MemoryMappedFiles;
using System.Runtime.InteropServices;
using System.Threading;

namespace Faults
{
  class First { long a; }
  class Second { long a, b; }
  class Third { long a, b, c; }
  class Thrown : Exception { }
  class Fatal : Exception { }

  public class Far : MarshalByRefObject
  {
    object kept;

    public void Work ()
    {
      for (;;)
        kept = new object ();
    }
  }

  static class Program
  {
    const int Threads = 3;
    static MemoryMappedViewAccessor counts;
    static volatile bool stop;
    static object kept;
    static int depth;

    [DllImport ("libc")] static extern void _exit (int status);
    [DllImport ("libc")] static extern void exit (int status);
    [DllImport ("libc")] static extern void abort ();
    [DllImport ("libc")] static extern int getpid ();
    [DllImport ("libc")] static extern int fork ();
    [DllImport ("libc")] static extern int kill (int pid, int signal);
    [DllImport ("libc")] static extern int waitpid (int pid, out int status, int options);
    [DllImport ("libc")] static extern int execl (string file, string name, string first, string second, IntPtr end);

    static void Work (int thread, Func<object> make)
    {
      for (long n = 1; !stop; n++) {
        kept = make ();
        counts.Write (16 * thread, n);
        if (n % 100 != 0)
          continue;
        try {
          throw new Thrown ();
        } catch (Thrown) {
        }
        counts.Write (16 * thread + 8, n / 100);
      }
    }

    static Thread Start (int thread, Func<object> make)
    {
      var t = new Thread (() => Work (thread, make)) { IsBackground = true };
      t.Start ();
      return t;
    }

    static void Reach (long objects)
    {
      for (int i = 0; i < Threads; i++) {
        long target = counts.ReadInt64 (16 * i) + objects;
        while (counts.ReadInt64 (16 * i) < target)
          Thread.Sleep (1);
      }
    }

    static int Deeper ()
    {
      depth++;
      return Deeper () + depth;
    }

    static int Main (string[] args)
    {
      counts = MemoryMappedFile.CreateFromFile (args[0], FileMode.Open).CreateViewAccessor ();
      var threads = new[] { Start (0, () => new First ()), Start (1, () => new Second ()), Start (2, () => new Third ()) };
      Reach (3000);
      Console.WriteLine ("working");
      Console.Out.Flush ();
      switch (args[1]) {
      case "signal":
        kill (getpid (), int.Parse (args[2]));
        Thread.Sleep (-1);
        break;
      case "stopped":
        // Stopped and continued by a child, as by a shell.
        for (int i = 0; i < 3; i++) {
          int parent = getpid ();
          Process.Start ("/bin/sh", "-c 'kill -STOP " + parent + "; sleep 0.1; kill -CONT " + parent + "'").WaitForExit ();
          Reach (100);
        }
        break;
      case "_exit":
        _exit (5);
        break;
      case "exit":
        exit (6);
        break;
      case "exit-thread":
        new Thread (() => Environment.Exit (8)).Start ();
        Thread.Sleep (-1);
        break;
      case "abort":
        abort ();
        break;
      case "failfast":
        Environment.FailFast ("enough");
        break;
      case "unhandled":
        throw new Fatal ();
      case "unhandled-thread":
        new Thread (() => { throw new Fatal (); }).Start ();
        Thread.Sleep (-1);
        break;
      case "overflow":
        return Deeper ();
      case "memory":
        for (var all = new List<byte[]> (); ; )
          all.Add (new byte[1 << 20]);
      case "thread-abort":
        for (int i = 0; i < 20; i++) {
          var aborted = new Thread (() => new Far ().Work ());
          aborted.Start ();
          Reach (100);
          aborted.Abort ();
          aborted.Join ();
        }
        break;
      case "unload":
        for (int i = 0; i < 5; i++) {
          var domain = AppDomain.CreateDomain ("other");
          var far = (Far) domain.CreateInstanceFromAndUnwrap (typeof (Far).Assembly.Location, "Faults.Far");
          var t = new Thread (() => { try { far.Work (); } catch (Exception) { } });
          t.Start ();
          Reach (100);
          AppDomain.Unload (domain);
          t.Join ();
        }
        break;
      case "fork":
        for (int i = 0; i < 5; i++) {
          int child = fork (), status;
          if (child == 0)
            _exit (3);
          waitpid (child, out status, 0);
          Console.WriteLine ("child {0}", status >> 8);
        }
        break;
      case "exec":
        execl ("/bin/sh", "sh", "-c", "exit 9", IntPtr.Zero);
        break;
      case "wait":
        // What happens meanwhile is the test's: a line on standard input ends it.
        Console.In.ReadLine ();
        Reach (3000);
        break;
      }
      stop = true;
      foreach (var t in threads)
        t.Join ();
      Console.WriteLine ("done");
      return 0;
    }
  }
}
