// proflog.cs -- sends requests to the profiler module that records this program.
//
// If the program is not recorded, or the module is not installed, all functions only return false; so the
// calls can stay in a program.  Compile with -r:Proflog.dll, or with this file.
using System;
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
}
