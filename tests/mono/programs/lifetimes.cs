// Objects that die at once, that are retained, that are replaced, and large ones: with the number of each.
using System;

class Temporary { long a, b; }
class Retained { public Retained next; long a; }
class Replaced { long a, b, c; }
class Late { long a; }

class Lifetimes
{
	static Retained head;
	static Replaced[] ring = new Replaced[700];
	static Late[] late = new Late[300];
	static long[][] large = new long[3][];

	static void MakeTemporary (int n)
	{
		for (int i = 0; i < n; i++)
			new Temporary ();
	}

	static void Retain (int n)
	{
		for (int i = 0; i < n; i++)
			head = new Retained { next = head };
	}

	static void Replace ()
	{
		for (int i = 0; i < ring.Length; i++)
			ring[i] = new Replaced ();
	}

	static void Main ()
	{
		for (int round = 0; round < 10; round++) {
			MakeTemporary (100000);
			Retain (500);
			Replace ();
			large[round % large.Length] = new long[12500];
		}
		GC.Collect ();
		for (int i = 0; i < late.Length; i++)
			late[i] = new Late ();
		Console.WriteLine ("temporary {0}", 10 * 100000);
		Console.WriteLine ("retained {0}", 10 * 500);
		Console.WriteLine ("replaced {0}", ring.Length);
		Console.WriteLine ("late {0}", late.Length);
		Console.WriteLine ("large {0}", large.Length);
	}
}
