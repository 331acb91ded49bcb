// proflog.cs -- sends requests to the profiler module that records this program.
//
// If the program is not recorded, or the module is not installed, all functions only return false; so the
// calls can stay in a program.  Compile with -r:Proflog.dll, or with this file.
using System;
using System.Collections.Generic;
using System.Reflection;
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

  /// <summary>Spans: pieces of work of the program, such as a request, with a name and an id.  A span is on the
  /// thread that began it until it ends; the costs of the thread are its own meanwhile.  Spans of a thread nest.
  /// An id stands for the last span that began with it and did not end.</summary>
  public static class Span {
    static bool is_absent;
    static volatile Dictionary<string, uint> numbers = new Dictionary<string, uint> ();
    static readonly object writing = new object ();

    [DllImport ("libmono-profiler-proflog")]
    static extern uint proflog_span_name (string name);
    [DllImport ("libmono-profiler-proflog")]
    static extern int proflog_span_begin (uint name, ulong id);
    [DllImport ("libmono-profiler-proflog")]
    static extern int proflog_span_end (ulong id);
    [DllImport ("libmono-profiler-proflog")]
    static extern int proflog_span_leave (ulong id);
    [DllImport ("libmono-profiler-proflog")]
    static extern int proflog_span_enter (ulong id);

    // Another table replaces the old one, so that a lookup takes no lock.  0: the name is not possible.
    static uint Add (string name)
    {
      lock (writing) {
        uint number = 0;
        if (is_absent || numbers.TryGetValue (name, out number))
          return number;
        try {
          number = proflog_span_name (name);
        } catch (DllNotFoundException) {
          is_absent = true;
        } catch (EntryPointNotFoundException) { // an older module
          is_absent = true;
        }
        if (!is_absent)
          numbers = new Dictionary<string, uint> (numbers) { { name, number } };
        return number;
      }
    }

    /// <summary>The number of a name: to begin spans of it without a search for the name each time.</summary>
    public static uint Name (string name)
    {
      uint number;
      return is_absent || name == null ? 0 : numbers.TryGetValue (name, out number) ? number : Add (name);
    }

    /// <summary>A span of this name begins on this thread.</summary>
    public static void Begin (string name, ulong id) { Begin (Name (name), id); }

    /// <summary>The same by the number of the name.</summary>
    public static void Begin (uint number, ulong id)
    {
      if (!is_absent && number != 0)
        proflog_span_begin (number, id);
    }

    // Where no name was requested, the module was not searched for yet: then there is no span, either.
    static bool IsUsed {
      get { return !is_absent && numbers.Count != 0; }
    }

    /// <summary>The last span with this id that did not end ends, on whatever thread it is.</summary>
    public static void End (ulong id)
    {
      if (IsUsed)
        proflog_span_end (id);
    }

    /// <summary>The spans with this id leave their thread: what it does from now on is not theirs.</summary>
    public static void Leave (ulong id)
    {
      if (IsUsed)
        proflog_span_leave (id);
    }

    /// <summary>The spans with this id go on on this thread.</summary>
    public static void Enter (ulong id)
    {
      if (IsUsed)
        proflog_span_enter (id);
    }
  }
}
