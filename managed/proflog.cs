// proflog.cs -- sends requests to the profiler module that records this program.
//
// If the program is not recorded, or the module is not installed, all functions only return false; so the
// calls can stay in a program.  Compile with -r:Proflog.dll, or with this file.
using System;
using System.Collections.Generic;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;

[assembly: AssemblyTitle ("Proflog")]
[assembly: AssemblyDescription ("Lets a program speak to the profiler that records it")]
[assembly: AssemblyVersion ("0.1.0.0")]

namespace Proflog {
  /// <summary>The log that is written of this program.  From any thread.</summary>
  public static class Log {
    const int ReplyMax = 64 * 1024;
    static volatile bool is_absent;

    [DllImport ("libmono-profiler-proflog")]
    static extern int proflog_control (string request, byte[] reply, UIntPtr size);

    /// <summary>Carries out a request of `proflog ctl PID REQUEST`.  True if it was done.  `reply` has the reply,
    /// or the reason of a refusal; "" if the program is not recorded.  null is refused as "" is.</summary>
    public static bool Control (string request, out string reply)
    {
      reply = "";
      if (is_absent)
        return false;
      var bytes = new byte[ReplyMax];
      int result;
      try {
        result = proflog_control (request, bytes, (UIntPtr) bytes.Length);
      } catch (DllNotFoundException) {
        is_absent = true;
        return false;
      } catch (EntryPointNotFoundException) {
        is_absent = true;
        return false;
      }
      int length = Array.IndexOf (bytes, (byte) 0);
      reply = Encoding.UTF8.GetString (bytes, 0, length < 0 ? bytes.Length : length);
      return result == 0;
    }

    static bool Do (string request)
    {
      string reply;
      return Control (request, out reply);
    }

    /// <summary>Whether this program is recorded.</summary>
    public static bool IsWritten {
      get { return Do ("status"); }
    }

    /// <summary>Records events again, after Stop or the option `paused`.</summary>
    public static bool Start () { return Do ("start"); }

    /// <summary>Records no more events.  It does not wait for a reader of the log that accepts nothing; then some
    /// events may not be in the log yet.</summary>
    public static bool Stop () { return Do ("stop"); }

    /// <summary>Collects, and records all live objects.</summary>
    public static bool HeapShot () { return Do ("heapshot"); }

    /// <summary>Writes all events so far into the log.  False if it has no reader, or one that accepts nothing
    /// for 0.2 s.</summary>
    public static bool Flush () { return Do ("flush"); }

    /// <summary>Records a mark of this name.  False unless the log has data version 17 (the option
    /// format=17).</summary>
    public static bool Mark (string name) { return Do ("mark " + name); }
  }

  /// <summary>A name of spans.  Best in a static field.</summary>
  public sealed class SpanName {
    internal readonly string text;
    internal volatile uint number; // 0: it was not requested, or is not possible

    public SpanName (string text) { this.text = text; }

    public override string ToString () { return text; }

    // Whether spans of this name can be recorded.
    internal bool Find ()
    {
      if (text != null && Span.IsRecorded)
        number = Span.proflog_span_name (text);
      return number != 0;
    }
  }

  // What the module adds to the runtime: a call costs a tenth of one by DllImport.  Without the module the runtime
  // complains on the program's output when it compiles a method that calls one, so each is in a method of its own,
  // which is compiled when it is called first.
  static class SpanCalls {
    [MethodImpl (MethodImplOptions.InternalCall)]
    static extern int Begin (uint name, ulong id);
    [MethodImpl (MethodImplOptions.InternalCall)]
    static extern int BeginIn (uint name, ulong id, ulong traceHigh, ulong traceLow);
    [MethodImpl (MethodImplOptions.InternalCall)]
    static extern int End (ulong id);
    [MethodImpl (MethodImplOptions.InternalCall)]
    static extern int Leave (ulong id);
    [MethodImpl (MethodImplOptions.InternalCall)]
    static extern int Enter (ulong id);

    [MethodImpl (MethodImplOptions.NoInlining)]
    internal static void CallBegin (uint name, ulong id) { Begin (name, id); }
    [MethodImpl (MethodImplOptions.NoInlining)]
    internal static void CallBeginIn (uint name, ulong id, ulong traceHigh, ulong traceLow)
    {
      BeginIn (name, id, traceHigh, traceLow);
    }
    [MethodImpl (MethodImplOptions.NoInlining)]
    internal static void CallEnd (ulong id) { End (id); }
    [MethodImpl (MethodImplOptions.NoInlining)]
    internal static void CallLeave (ulong id) { Leave (id); }
    [MethodImpl (MethodImplOptions.NoInlining)]
    internal static void CallEnter (ulong id) { Enter (id); }
  }

  /// <summary>Spans: pieces of work of the program, such as a request, with a name and an id.  A span is on the
  /// thread that began it until it ends; the costs of the thread are its own meanwhile.  Spans of a thread nest.
  /// An id stands for the last span that began with it and did not end.</summary>
  public static class Span {
    static volatile bool is_recorded, is_absent, is_searched;
    static int searches;
    static volatile Dictionary<string, SpanName> names = new Dictionary<string, SpanName> ();
    static volatile SpanName[] first = new SpanName[0]; // of the names: to be compared as references
    static readonly object writing = new object ();

    [DllImport ("libmono-profiler-proflog")]
    internal static extern uint proflog_span_name (string name);
    [DllImport ("libmono-profiler-proflog")]
    static extern int proflog_span_calls ();

    /// <summary>Whether the module is there.  Where it is not, every 1024th call looks for it, as `proflog attach`
    /// may load it.</summary>
    public static bool IsRecorded {
      get { return is_recorded || (!is_absent && (!is_searched || (++searches & 1023) == 0) && Search ()); }
    }

    // Other threads wait for the first search, so that none of their spans is missing.
    static bool Search ()
    {
      lock (writing) {
        if (is_recorded || is_absent)
          return is_recorded;
        try {
          is_recorded = proflog_span_calls () != 0;
        } catch (DllNotFoundException) {
          is_absent = true;
        } catch (EntryPointNotFoundException) { // of an older module
          is_absent = true;
        }
        is_searched = true;
        return is_recorded;
      }
    }

    const int First = 8;

    static SpanName Lookup (string text)
    {
      foreach (var known in first)
        if ((object) known.text == (object) text)
          return known;
      SpanName name;
      return names.TryGetValue (text, out name) ? name : Add (text);
    }

    // Another table replaces the old one, so that a search takes no lock.
    static SpanName Add (string text)
    {
      lock (writing) {
        SpanName name;
        if (!names.TryGetValue (text, out name)) {
          name = new SpanName (text);
          names = new Dictionary<string, SpanName> (names) { { text, name } };
          if (first.Length < First) {
            var more = new SpanName[first.Length + 1];
            first.CopyTo (more, 0);
            more[first.Length] = name;
            first = more;
          }
        }
        return name;
      }
    }

    /// <summary>A span of this name begins on this thread.</summary>
    public static void Begin (string name, ulong id)
    {
      if (!is_absent && (is_recorded || IsRecorded) && name != null)
        Begin (Lookup (name), id);
    }

    /// <summary>The same without a search for the name.</summary>
    public static void Begin (SpanName name, ulong id)
    {
      if (!is_absent && (name.number != 0 || name.Find ()))
        SpanCalls.CallBegin (name.number, id);
    }

    /// <summary>A span of a trace of OpenTelemetry: the two halves of the trace's number, as it is written from left
    /// to right; the id is the number of the span there.  Profiles that are sent on are linked to it.</summary>
    public static void Begin (SpanName name, ulong id, ulong traceHigh, ulong traceLow)
    {
      if (!is_absent && (name.number != 0 || name.Find ()))
        SpanCalls.CallBeginIn (name.number, id, traceHigh, traceLow);
    }

    /// <summary>The last span with this id that did not end ends, on whatever thread it is.</summary>
    public static void End (ulong id)
    {
      if (is_recorded)
        SpanCalls.CallEnd (id);
    }

    /// <summary>The spans with this id leave their thread: what it does from now on is not theirs.</summary>
    public static void Leave (ulong id)
    {
      if (is_recorded)
        SpanCalls.CallLeave (id);
    }

    /// <summary>The spans with this id go on on this thread.</summary>
    public static void Enter (ulong id)
    {
      if (is_recorded)
        SpanCalls.CallEnter (id);
    }
  }
}
