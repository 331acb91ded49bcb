// Threads that each do one thing until the end of the input; their names say what.
using System;
using System.Threading;

namespace Probe
{
  class ThreadStacks
  {
    static readonly object gate = new object (), pulse = new object ();
    static volatile bool over;
    static long result;

    static void Hold () { lock (gate) Thread.Sleep (100000); }
    static void Enter () { lock (gate) result++; }
    static void WaitForPulse () { lock (pulse) Monitor.Wait (pulse); }
    static void Sleep () { Thread.Sleep (100000); }
    static void Join (Thread thread) { thread.Join (); }
    static void Spin () { long x = 1; while (!over) for (int i = 0; i < 100000; i++) x = x * 31 + i; result += x; }

    static Thread Start (string name, ThreadStart start)
    {
      var thread = new Thread (start) { Name = name, IsBackground = true };
      thread.Start ();
      return thread;
    }

    static void Main ()
    {
      Start ("holder", Hold);
      Thread.Sleep (200);
      Start ("entering", Enter);
      Start ("pulsed", WaitForPulse);
      var sleeper = Start ("sleeper", Sleep);
      Start ("joining", () => Join (sleeper));
      Start ("spinner", Spin);
      Thread.Sleep (500);
      Console.WriteLine ("ready " + System.Diagnostics.Process.GetCurrentProcess ().Id);
      Console.ReadLine ();
      over = true;
    }
  }
}
