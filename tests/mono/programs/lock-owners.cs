// One thread owns the lock while another one is seen to wait for it, as often as is requested: who, in order.
using System;
using System.Collections.Generic;
using System.Threading;

namespace Probe
{
  class Gate {}

  class LockOwners
  {
    const int Threads = 5;
    static readonly Gate gate = new Gate ();
    static readonly Thread[] threads = new Thread[Threads];
    static readonly SemaphoreSlim[] turns = new SemaphoreSlim[Threads];
    static readonly SemaphoreSlim owned = new SemaphoreSlim (0), left = new SemaphoreSlim (0);
    static volatile bool over, enters;
    static volatile int owner, waiter;

    static bool Waits (Thread thread) { return (thread.ThreadState & ThreadState.WaitSleepJoin) != 0; }

    // Until the other one is blocked; then perhaps for long, where samples find it.
    static void OwnWhileWaitedFor (int round)
    {
      lock (gate) {
        owned.Release ();
        while (!enters || !Waits (threads[waiter]))
          Thread.Yield ();
        if (round % 10 == 0)
          Thread.Sleep (60);
      }
    }

    static void Enter ()
    {
      enters = true;
      lock (gate) {}
    }

    static void Run (int self)
    {
      for (int round = 0; ; round++) {
        turns[self].Wait ();
        if (over)
          return;
        if (owner == self)
          OwnWhileWaitedFor (round);
        else
          Enter ();
        left.Release ();
      }
    }

    static void Main (string[] arguments)
    {
      var lines = new List<string> ();
      var random = new Random (1);
      for (int i = 0; i < Threads; i++) {
        int self = i;
        turns[i] = new SemaphoreSlim (0);
        threads[i] = new Thread (() => Run (self)) { Name = "thread" + i };
        threads[i].Start ();
      }
      for (int round = int.Parse (arguments[0]); round > 0; round--) {
        owner = random.Next (Threads);
        waiter = (owner + 1 + random.Next (Threads - 1)) % Threads;
        lines.Add ("thread" + waiter + " thread" + owner);
        enters = false;
        turns[owner].Release ();
        owned.Wait ();
        turns[waiter].Release ();
        left.Wait ();
        left.Wait ();
      }
      over = true;
      foreach (var turn in turns)
        turn.Release ();
      lines.ForEach (Console.WriteLine);
    }
  }
}
