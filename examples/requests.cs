// requests: what each request costs.
//
//   mcs -r:PREFIX/lib/proflog/Proflog.dll requests.cs && cp PREFIX/lib/proflog/Proflog.dll .
//   proflog run --wall --allocs -o requests.mlpd mono requests.exe
//   proflog report --reports=spans requests.mlpd
//   proflog report --span checkout --slowest 10% requests.mlpd
//
// Without the profiler the calls do nothing.
using System;
using System.Text;
using System.Threading;
using Proflog;

static class Requests {
  static readonly SpanName checkout = new SpanName ("checkout"), query = new SpanName ("query");

  // A request goes from one thread of the pool to another, as after await.
  static void Check (ulong id, CountdownEvent left)
  {
    var bill = new StringBuilder ();
    Span.Begin (checkout, id);
    for (int i = 0; i < 1000; i++)
      bill.Append (i);
    Span.Leave (id);
    ThreadPool.QueueUserWorkItem (delegate {
      Span.Enter (id);
      Span.Begin (query, id);
      Thread.Sleep (id % 10 == 0 ? 20 : 2);
      Span.End (id);
      Span.End (id);
      left.Signal ();
    });
  }

  static void Main ()
  {
    const int count = 100;
    using (var left = new CountdownEvent (count)) {
      for (int i = 1; i <= count; i++) {
        ulong id = (ulong) i;
        ThreadPool.QueueUserWorkItem (delegate { Check (id, left); });
      }
      left.Wait ();
    }
    Console.WriteLine ("{0} requests", count);
  }
}
