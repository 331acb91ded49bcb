// Threads that wait for each other's locks for ever, in a circle, and others that do not; or with the word "none",
// threads that enter several locks in the same order, and that wait with a limit in a circle.
using System;
using System.Threading;

namespace Probe
{
  class LockA {}
  class LockB {}
  class LockC {}

  class Deadlock
  {
    static readonly object[] two = { new LockA (), new LockB () };
    static readonly object[] three = { new LockA (), new LockB (), new LockC () };
    static readonly object[] ordered = { new LockA (), new LockB (), new LockC () };
    static volatile bool over;
    static long rounds;

    static void Start (string name, ThreadStart start)
    {
      new Thread (start) { Name = name, IsBackground = true }.Start ();
    }

    // Each enters its own lock first, and then that of the next, once all have their own.
    static void Plant (string name, object[] locks)
    {
      var barrier = new Barrier (locks.Length);
      for (int i = 0; i < locks.Length; i++) {
        object own = locks[i], next = locks[(i + 1) % locks.Length];
        Start (name + i, () => Hold (own, next, barrier));
      }
    }

    static void Hold (object own, object next, Barrier barrier)
    {
      lock (own) {
        barrier.SignalAndWait ();
        lock (next) {}
      }
    }

    // Locks in one order, whoever wants them.
    static void EnterInOrder ()
    {
      while (!over)
        lock (ordered[0])
          lock (ordered[1])
            lock (ordered[2]) {
              for (int i = 0; i < 2000; i++)
                rounds++;
              if (rounds % 3 == 0)
                Thread.Sleep (1);
            }
    }

    // In a circle, but each times out after a while.
    static void TryInCircle (object own, object next)
    {
      while (!over)
        lock (own)
          if (Monitor.TryEnter (next, 30)) {
            rounds++;
            Monitor.Exit (next);
          }
    }

    static void Main (string[] arguments)
    {
      if (arguments.Length != 0 && arguments[0] == "none") {
        for (int i = 0; i < 4; i++)
          Start ("ordered" + i, EnterInOrder);
        Start ("trying0", () => TryInCircle (two[0], two[1]));
        Start ("trying1", () => TryInCircle (two[1], two[0]));
      } else {
        Plant ("two", two);
        Plant ("three", three);
        Start ("spinner", () => { while (!over) rounds++; });
      }
      Thread.Sleep (300);
      Console.WriteLine ("ready " + System.Diagnostics.Process.GetCurrentProcess ().Id);
      Console.ReadLine ();
      over = true;
    }
  }
}
