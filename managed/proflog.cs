// proflog.cs -- speaks to the profiler module that records this program.
//
// Where the program is not recorded, or the module is not installed, all this does nothing but answer
// false; so it can stay in a program.  Compile with -r:Proflog.dll, or with this file.
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

    /// <summary>Asks for what `proflog ctl PID REQUEST` does.  True if it was done; the reply, or why it was
    /// not, is in `reply`, which is "" where the program is not recorded.  null is refused as "" is.</summary>
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

    /// <summary>Records events again; those of before Stop, or after the option `paused`.</summary>
    public static bool Start () { return Do ("start"); }

    /// <summary>Records no more events.  Who reads the log, and takes nothing of it, is not waited for: then what
    /// was recorded may not be in the log yet.</summary>
    public static bool Stop () { return Do ("stop"); }

    /// <summary>Collects, and writes down all objects that live.</summary>
    public static bool HeapShot () { return Do ("heapshot"); }

    /// <summary>All that was recorded up to now is in the log.  False if nobody reads it, or who reads it takes
    /// nothing for 0.2 s.</summary>
    public static bool Flush () { return Do ("flush"); }

    /// <summary>Notes that the program has come to something of this name.  The log must be of data version
    /// 17 (the option format=17): else it is refused.</summary>
    public static bool Mark (string name) { return Do ("mark " + name); }
  }
}
