// A service that runs for long: requests are answered, and answers are remembered.  See service.md.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Threading;

class Answer {
  public string Text;
}

class Service {
  // Grows for ever: the key has the number of the request in it.
  static readonly Dictionary<string, Answer> cache = new Dictionary<string, Answer> ();

  static Answer Compute (string question)
  {
    double sum = 0;
    for (int i = 1; i < 20000; i++)
      sum += Math.Sqrt (i + question.Length);
    return new Answer { Text = question + " = " + sum };
  }

  static Answer Reply (int request)
  {
    string question = "price of " + request;
    Answer answer;
    lock (cache) {
      if (!cache.TryGetValue (question, out answer))
        cache[question] = answer = Compute (question);
    }
    return answer;
  }

  static void Main (string[] args)
  {
    int seconds = int.Parse (args[0]);
    var watch = Stopwatch.StartNew ();
    int requests = 0;
    while (watch.Elapsed.TotalSeconds < seconds) {
      for (int i = 0; i < 50; i++)
        Reply (requests++);
      Thread.Sleep (5);
    }
    Console.WriteLine ("{0} requests", requests);
  }
}
