// traced: works in a span of a trace of OpenTelemetry, which goes on on another thread, and works outside of it.
using System;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Threading;
using Proflog;

namespace Probe {
  static class Traced {
    const ulong High = 0x0123456789abcdef, Low = 0xfedcba9876543210, Id = 0x1122334455667788;
    static readonly SpanName Checkout = new SpanName ("checkout"), Query = new SpanName ("query");
    static volatile int sink;

    static void Burn (int ms)
    {
      var watch = Stopwatch.StartNew ();
      while (watch.ElapsedMilliseconds < ms)
        for (int i = 0; i < 1000; i++)
          sink += i;
    }

    [MethodImpl (MethodImplOptions.NoInlining)]
    static void Linked () { Burn (300); }
    [MethodImpl (MethodImplOptions.NoInlining)]
    static void Nested () { Burn (300); }
    [MethodImpl (MethodImplOptions.NoInlining)]
    static void LinkedElsewhere () { Burn (300); }
    [MethodImpl (MethodImplOptions.NoInlining)]
    static void Outside () { Burn (300); }

    static void Main ()
    {
      Outside ();
      Span.Begin (Checkout, Id, High, Low);
      Linked ();
      Span.Begin (Query, 7); // of no trace: it is a part of the span around it
      Nested ();
      Span.End (7);
      Span.Leave (Id);
      var thread = new Thread (() => {
        Span.Enter (Id);
        LinkedElsewhere ();
        Span.End (Id);
        Outside ();
      }) { Name = "elsewhere" };
      thread.Start ();
      thread.Join ();
      Outside ();
    }
  }
}
