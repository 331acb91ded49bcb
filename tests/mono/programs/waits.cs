// waits MS: a thread that works for so long, and threads that wait meanwhile, each in another way.
//
// Prints what the program's own clocks say: "cpu METHOD THREAD NS", and "KIND METHOD THREAD NS" for waits; and
// "held Door - NS", for how long a thread waited for the door at least.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO.Pipes;
using System.Net;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;

namespace Probe {
  class Door { }

  static class Waits {
    struct Timespec {
      public long Seconds, Nanoseconds;
    }

    struct PollDescriptor {
      public int Descriptor;
      public short Events, Returned;
    }

    const int ThreadCpuClock = 3;

    [DllImport ("libc")]
    static extern int clock_gettime (int clock, out Timespec time);

    [DllImport ("libc")]
    static extern IntPtr pthread_self ();

    [DllImport ("libc")]
    static extern int pipe (int[] ends);

    [DllImport ("libc")]
    static extern int poll (ref PollDescriptor descriptor, ulong count, int timeout);

    [DllImport ("libc")]
    static extern IntPtr write (int descriptor, byte[] bytes, IntPtr count);

    static int milliseconds;
    static double sink;
    static readonly Door door = new Door ();
    static readonly object bell = new object ();
    static readonly ManualResetEvent done = new ManualResetEvent (false);
    static readonly int[] pollPipe = new int[2];
    static AnonymousPipeServerStream input;
    static Socket receiver;

    static long CpuTime ()
    {
      Timespec time;
      clock_gettime (ThreadCpuClock, out time);
      return time.Seconds * 1000000000 + time.Nanoseconds;
    }

    [MethodImpl (MethodImplOptions.NoInlining)]
    static void Work ()
    {
      var clock = Stopwatch.StartNew ();
      double x = 1;
      do {
        for (int i = 0; i < 200000; i++)
          x = x * 1.0000001 + i;
      } while (clock.ElapsedMilliseconds < milliseconds);
      sink += x;
    }

    [MethodImpl (MethodImplOptions.NoInlining)]
    static void Sleeps ()
    {
      Thread.Sleep (milliseconds);
    }

    [MethodImpl (MethodImplOptions.NoInlining)]
    static void Locks ()
    {
      lock (door)
        sink++;
    }

    [MethodImpl (MethodImplOptions.NoInlining)]
    static void WaitsForBell ()
    {
      lock (bell)
        Monitor.Wait (bell);
    }

    [MethodImpl (MethodImplOptions.NoInlining)]
    static void WaitsForEvent ()
    {
      done.WaitOne ();
    }

    [MethodImpl (MethodImplOptions.NoInlining)]
    static void Reads ()
    {
      input.ReadByte ();
    }

    [MethodImpl (MethodImplOptions.NoInlining)]
    static void Receives ()
    {
      receiver.Receive (new byte[1]);
    }

    [MethodImpl (MethodImplOptions.NoInlining)]
    static void Polls ()
    {
      var descriptor = new PollDescriptor { Descriptor = pollPipe[0], Events = 1 };
      if (poll (ref descriptor, 1, -1) != 1)
        throw new Exception ("a sample has interrupted it");
    }

    static Thread Start (string kind, string name, Action method)
    {
      var thread = new Thread (() => {
        var clock = Stopwatch.StartNew ();
        long begin = CpuTime ();
        method ();
        long cpu = CpuTime () - begin, ns = clock.ElapsedTicks * 1000000000 / Stopwatch.Frequency;
        Console.WriteLine ("{0} {1} 0x{2:x} {3}", kind, name, pthread_self ().ToInt64 (),
                           kind == "cpu" ? cpu : ns - cpu);
      });
      thread.Start ();
      return thread;
    }

    static void Main (string[] args)
    {
      milliseconds = int.Parse (args[0]);
      pipe (pollPipe);
      input = new AnonymousPipeServerStream (PipeDirection.In);
      var output = new AnonymousPipeClientStream (PipeDirection.Out, input.ClientSafePipeHandle);
      var listener = new TcpListener (IPAddress.Loopback, 0);
      listener.Start ();
      receiver = new Socket (AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
      receiver.Connect (listener.LocalEndpoint);
      var sender = listener.AcceptSocket ();
      var threads = new List<Thread> ();
      lock (door) {
        threads.Add (Start ("lock", "Locks", Locks));
        threads.Add (Start ("event", "WaitsForBell", WaitsForBell));
        threads.Add (Start ("event", "WaitsForEvent", WaitsForEvent));
        threads.Add (Start ("io", "Reads", Reads));
        threads.Add (Start ("io", "Receives", Receives));
        threads.Add (Start ("poll", "Polls", Polls));
        threads.Add (Start ("sleep", "Sleeps", Sleeps));
        while ((threads[0].ThreadState & System.Threading.ThreadState.WaitSleepJoin) == 0)
          Thread.Sleep (1);
        var held = Stopwatch.StartNew ();
        Start ("cpu", "Work", Work).Join ();
        Console.WriteLine ("held Door - {0}", held.ElapsedTicks * 1000000000 / Stopwatch.Frequency);
      }
      lock (bell)
        Monitor.PulseAll (bell);
      done.Set ();
      output.WriteByte (0);
      sender.Send (new byte[1]);
      write (pollPipe[1], new byte[1], new IntPtr (1));
      threads.ForEach (t => t.Join ());
    }
  }
}
