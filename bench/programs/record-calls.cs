// Recursive calls and nothing else.  Arguments: calls in millions for each thread, threads.
using System;
using System.Threading;

class Program {
  static int Fibonacci (int n) { return n < 2 ? n : Fibonacci (n - 1) + Fibonacci (n - 2); }

  static void Main (string[] arguments)
  {
    // Fibonacci (30) makes 2.7 million calls.
    int rounds = (int) (double.Parse (arguments[0]) / 2.692537);
    var threads = new Thread[int.Parse (arguments[1])];
    for (int i = 0; i < threads.Length; i++) {
      threads[i] = new Thread (() => {
        for (int round = 0; round < rounds; round++)
          Fibonacci (30);
      });
      threads[i].Start ();
    }
    foreach (var thread in threads)
      thread.Join ();
  }
}
