// tasks.cs -- asynchronous operations that do not end, whose number and waits are known.
//
// Usage: tasks.exe once|grow.  `once` begins some operations, takes a heap snapshot, begins more, and takes another
// one; it prints a line for each method and wait, separated by commas: operations, those since the first snapshot, the
// state, which mcs counts from 1 on as the awaits are in the text, the method, the innermost wait, all steps.  `grow` begins 100 more in each of six rounds, after each of which is a
// snapshot.
using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

class Shop {
  static readonly List<TaskCompletionSource<int>> answers = new List<TaskCompletionSource<int>> ();
  static readonly SemaphoreSlim closed = new SemaphoreSlim (0);
  static readonly List<Task> all = new List<Task> ();

  // Most of these end.
  static async Task<int> Answer (bool ends) {
    var answer = new TaskCompletionSource<int> ();
    if (ends)
      ThreadPool.QueueUserWorkItem (_ => answer.SetResult (1));
    else
      answers.Add (answer);
    return await answer.Task;
  }

  static async Task<int> Load (bool ends) {
    int first = await Answer (true).ConfigureAwait (false);
    return first + await Answer (ends).ConfigureAwait (false);
  }

  static async Task Enter () { await closed.WaitAsync (); }

  static async Task Sleep () { await Task.Delay (1000000).ConfigureAwait (false); }

  static async Task Both () { await Task.WhenAll (Load (true), Sleep ()); }

  // A state machine at each depth; the last one sleeps.
  static async Task Down (int depth) {
    if (depth == 0)
      await Sleep ();
    else
      await Down (depth - 1);
  }

  // Two wait for one task.
  static async Task Share (Task<int> task) { await task; }

  static async void Forget () { await Answer (false); }

  // mcs names both after the method.
  static async Task Lambda () {
    Func<Task> inner = async () => await Sleep ();
    await inner ();
  }

  static async Task Yield () { await Task.Yield (); }

  // Loads go on with their second answer in a thread of the pool.
  static void Settle (int pending) {
    for (int i = 0; i < 1000; i++) {
      lock (answers)
        if (answers.Count == pending)
          break;
      Thread.Sleep (5);
    }
    Thread.Sleep (300);
    GC.Collect ();
  }

  static void Begin (int n) {
    for (int i = 0; i < n; i++) {
      all.Add (Enter ());
      all.Add (Both ());
    }
    all.Add (Down (5));
    all.Add (Lambda ());
    Forget ();
    Task<int> shared = Answer (false);
    all.Add (Share (shared));
    all.Add (Share (shared));
    for (int i = 0; i < 50; i++) {
      all.Add (Load (true));
      all.Add (Yield ());
    }
  }

  // Answers are taken one after the other, so that the list needs no lock.
  static void Ask (int n) {
    for (int i = 0; i < n; i++)
      all.Add (Second ());
  }

  static async Task<int> Second () { return await Answer (false).ConfigureAwait (false) + 1; }

  static void Main (string[] arguments) {
    if (arguments[0] == "grow") {
      for (int round = 0; round < 6; round++) {
        Ask (100);
        GC.Collect ();
        Thread.Sleep (60);
      }
      return;
    }
    Begin (3);
    Ask (20);
    Settle (22);
    Begin (4);
    Ask (400);
    Settle (424);
    const string source = "TaskCompletionSource";
    foreach (string line in new[] {
      "424,402,1,Shop:Answer (async)," + source + "," + source,
      "420,400,1,Shop:Second (async),Shop:Answer (async),Shop:Answer (async) -> " + source,
      "4,2,1,Shop:Share (async),Shop:Answer (async),Shop:Answer (async) -> " + source,
      "2,1,1,Shop:Forget (async),Shop:Answer (async),Shop:Answer (async) -> " + source,
      "7,4,1,Shop:Enter (async),SemaphoreSlim.WaitAsync,SemaphoreSlim.WaitAsync",
      "7,4,1,Shop:Both (async),Shop:Sleep (async),Task.WhenAll -> Shop:Sleep (async) -> Task.Delay",
      "11,6,1,Shop:Sleep (async),Task.Delay,Task.Delay",
      "2,1,1,Shop:Down (async),Shop:Sleep (async),Shop:Sleep (async) -> Task.Delay",
      "10,5,2,Shop:Down (async),Shop:Sleep (async),Shop:Down (async) -> Shop:Sleep (async) -> Task.Delay",
      "2,1,1,Shop:Lambda (async),Shop:Sleep (async),Shop:Lambda (async) -> Shop:Sleep (async) -> Task.Delay",
      "2,1,1,Shop:Lambda (async),Shop:Sleep (async),Shop:Sleep (async) -> Task.Delay",
    })
      Console.WriteLine (line);
    GC.KeepAlive (all);
  }
}
