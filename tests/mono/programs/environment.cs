// Prints what a profiler might change: its arguments, environment, directory and standard input.
// Ends with the status that the first argument gives.
using System;
using System.Collections;
using System.Diagnostics;

namespace Probe {
  static class Surroundings {
    static int Main (string[] args)
    {
      Console.WriteLine ("arguments: " + String.Join ("|", args));
      Console.WriteLine ("directory: " + Environment.CurrentDirectory);
      Console.WriteLine ("input: " + Console.In.ReadToEnd ());
      var names = new ArrayList (Environment.GetEnvironmentVariables ().Keys);
      names.Sort (StringComparer.Ordinal);
      foreach (string name in names)
        Console.WriteLine ("variable: {0}={1}", name, Environment.GetEnvironmentVariable (name));
      // What a child gets.
      var info = new ProcessStartInfo ("/usr/bin/env") {
        UseShellExecute = false, RedirectStandardOutput = true,
      };
      using (var process = Process.Start (info)) {
        var lines = process.StandardOutput.ReadToEnd ().Split ('\n');
        Array.Sort (lines, StringComparer.Ordinal);
        foreach (string line in lines)
          Console.WriteLine ("child: " + line);
        process.WaitForExit ();
      }
      Console.Error.WriteLine ("to standard error");
      return args.Length > 0 ? int.Parse (args[0]) : 0;
    }
  }
}
