// Four tills book sales in one journal.  They wait for each other: see locks.md.
using System;
using System.Collections.Generic;
using System.Text;
using System.Threading;

class Journal {
  readonly object gate = new object ();
  readonly List<string> lines = new List<string> ();

  // The line is made while the others wait.
  public void Book (int till, int number)
  {
    lock (gate) {
      var line = new StringBuilder ();
      for (int i = 0; i < 300; i++)
        line.Append ((till * 31 + number * i) % 10);
      lines.Add (line.ToString ());
    }
  }

  public int Count { get { return lines.Count; } }
}

class Tills {
  static void Main ()
  {
    var journal = new Journal ();
    var threads = new Thread[4];
    for (int i = 0; i < threads.Length; i++) {
      int till = i;
      threads[i] = new Thread (() => {
        for (int number = 0; number < 20000; number++)
          journal.Book (till, number);
      });
      threads[i].Name = "till " + till;
      threads[i].Start ();
    }
    foreach (Thread thread in threads)
      thread.Join ();
    Console.WriteLine ("{0} sales", journal.Count);
  }
}
