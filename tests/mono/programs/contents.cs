// Strings and collections that are known by construction.  It prints a line of each, separated by tabs, and takes
// two heap snapshots, before and after collections grow.
//
//   string      wasted, strings, length, held, holder, text as `proflog heap strings` writes it
//   sum         wasted, collections, empty, below a quarter, elements, capacity, holder
//   one         elements, capacity, wasted, holder
//   growing     more elements, elements, holder
using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Reflection;
using System.Text;
using System.Threading;

class Person { public string name; public string city; }

class Names { public string[] all; public List<string> listed; public Dictionary<int, string> byNumber; }

class Box<T> { public T content; }

static class Contents
{
    // The lengths 21 and 53 fill slots of 64 and 128 bytes of the collector.
    const int SHORT = 21, LONG = 53;
    static readonly Person[] persons = new Person[600];
    static readonly Names names = new Names ();
    static readonly Box<List<int>>[] lists = new Box<List<int>>[40];
    static readonly Box<Dictionary<int, string>>[] dictionaries = new Box<Dictionary<int, string>>[8];
    static readonly List<long> growing = new List<long> ();
    static readonly HashSet<int> set = new HashSet<int> ();
    static readonly Queue<int> queue = new Queue<int> (100);
    static readonly Stack<object> stack = new Stack<object> (50);
    static readonly StringBuilder builder = new StringBuilder (16);
    static readonly object[] array = new object[300];
    // Two threads may write at once, so two counts have its elements.
    static readonly ConcurrentDictionary<int, long> concurrent = new ConcurrentDictionary<int, long> (2, 400);
    static readonly Box<ConcurrentDictionary<string, int>>[] tables = new Box<ConcurrentDictionary<string, int>>[5];

    // A new string, not the one that the program's text is.
    static string Make (string begin, int length)
    {
        return new StringBuilder (begin).Append ('.', length - begin.Length).ToString ();
    }

    static void Print (params object[] cells) { Console.WriteLine (string.Join ("\t", cells)); }

    static void PrintString (int count, int length, int held, string holder, string text)
    {
        Print ("string", (count - 1) * (length == SHORT ? 64 : 128), count, length, held, holder, text);
    }

    // The length of the array in the first of these fields that there is.
    static int Capacity (object collection, params string[] fields)
    {
        foreach (string field in fields) {
            FieldInfo info = collection.GetType ().GetField (field, BindingFlags.NonPublic | BindingFlags.Instance);
            if (info != null)
                return info.GetValue (collection) == null ? 0 : ((Array) info.GetValue (collection)).Length;
        }
        throw new Exception ("no field " + fields[0]);
    }

    // The room in the tables of a concurrent dictionary.
    static int Room (object dictionary)
    {
        foreach (string field in new[] { "_tables", "m_tables" }) {
            FieldInfo info = dictionary.GetType ().GetField (field, BindingFlags.NonPublic | BindingFlags.Instance);
            if (info != null)
                return Capacity (info.GetValue (dictionary), "_buckets", "m_buckets");
        }
        throw new Exception ("no tables");
    }

    static void PrintOne (int elements, int capacity, int size, string holder)
    {
        Print ("one", elements, capacity, (capacity - elements) * size, holder);
    }

    static void MakeStrings ()
    {
        for (int i = 0; i < persons.Length; i++)
            persons[i] = new Person { name = Make ("unique " + i, SHORT), city = Make ("city " + i % 3, SHORT) };
        for (int i = 0; i < 3; i++)
            PrintString (200, SHORT, 200, "Person.city", "city " + i + new string ('.', SHORT - 6));
        names.all = new string[50];
        names.listed = new List<string> ();
        names.byNumber = new Dictionary<int, string> ();
        for (int i = 0; i < 50; i++) {
            names.all[i] = Make ("array", SHORT);
            names.listed.Add (Make ("list\n\t\\", LONG));
            names.byNumber[i] = Make ("entry", SHORT);
        }
        for (int i = 0; i < 30; i++)
            persons[i].name = Make ("entry", SHORT);
        PrintString (50, SHORT, 50, "Names.all", "array" + new string ('.', SHORT - 5));
        PrintString (50, LONG, 50, "Names.listed", "list\\n\\t\\\\" + new string ('.', LONG - 7));
        PrintString (80, SHORT, 50, "Names.byNumber", "entry" + new string ('.', SHORT - 5));
        persons[40].name = Make ("\u00e9\u4e2d\ud83d\ude00\0", SHORT);
        persons[41].name = Make ("\u00e9\u4e2d\ud83d\ude00\0", SHORT);
        PrintString (2, SHORT, 2, "Person.name", "\u00e9\u4e2d\ud83d\ude00\ufffd" + new string ('.', SHORT - 5));
        persons[42].name = Make ("long", 117); // a slot of 256
        persons[43].name = Make ("long", 117);
        Print ("string", 256, 2, 117, 2, "Person.name", "long" + new string ('.', 56) + "...");
    }

    static void Fill ()
    {
        for (int i = 0; i < lists.Length; i++)
            lists[i] = new Box<List<int>> { content = i < 10 ? new List<int> () : new List<int> (100) };
        for (int i = 20; i < lists.Length; i++)
            for (int k = 0; k < (i < 30 ? 24 : 25); k++)
                lists[i].content.Add (k);
        for (int i = 0; i < dictionaries.Length; i++)
            dictionaries[i] = new Box<Dictionary<int, string>> { content = new Dictionary<int, string> () };
        for (int k = 0; k < 20; k++)
            dictionaries[0].content[k] = null;
        for (int k = 0; k < 5; k++)
            dictionaries[0].content.Remove (k);
        for (int k = 0; k < 100; k++) {
            growing.Add (k);
            set.Add (k % 60);
            queue.Enqueue (k);
            array[3 * k] = persons[k];
        }
        for (int k = 0; k < 70; k++)
            queue.Dequeue ();
        for (int k = 0; k < 30; k++)
            concurrent[k] = k;
        for (int i = 0; i < tables.Length; i++)
            tables[i] = new Box<ConcurrentDictionary<string, int>> { content = new ConcurrentDictionary<string, int> () };
        for (int k = 0; k < 1000; k++)
            tables[4].content["key " + k] = k;
        stack.Push (persons);
        builder.Append ('x', 1000);
    }

    static void Grow ()
    {
        for (int k = 0; k < 1900; k++)
            growing.Add (k);
        for (int k = 0; k < 40; k++)
            set.Add (k + 100);
        int removed;
        for (int k = 0; k < 80; k++)
            concurrent[k + 15] = k;
        for (long k = 0, unused; k < 10; k++)
            concurrent.TryRemove ((int) k, out unused);
        tables[4].content.TryRemove ("key 0", out removed);
        builder.Append ('y', 2000).Append ('z', 30);
    }

    static void PrintCollections ()
    {
        Dictionary<int, string> first = dictionaries[0].content;
        int entries = Capacity (first, "_entries", "entries");
        int slots = Capacity (set, "_slots", "m_slots");
        Print ("sum", (10 * 100 + 10 * 76 + 10 * 75) * 4, 40, 20, 10, 490, 3000,
               "Box<System.Collections.Generic.List<System.Int32>>.content");
        Print ("sum", (entries - 15) * 24, 8, 7, 0, 15, entries,
               "Box<System.Collections.Generic.Dictionary<System.Int32,System.String>>.content");
        PrintOne (growing.Count, growing.Capacity, 8, "static Contents.growing");
        PrintOne (set.Count, slots, 12, "static Contents.set");
        PrintOne (queue.Count, Capacity (queue, "_array"), 4, "static Contents.queue");
        PrintOne (stack.Count, Capacity (stack, "_array"), 8, "static Contents.stack");
        PrintOne (builder.Length, builder.Capacity, 2, "static Contents.builder");
        PrintOne (concurrent.Count, Room (concurrent), 8, "static Contents.concurrent");
        int room = 0, waste = 0, filled = tables[4].content.Count;
        foreach (Box<ConcurrentDictionary<string, int>> box in tables) {
            room += Room (box.content);
            waste += Math.Max (0, Room (box.content) - box.content.Count) * 8;
        }
        Print ("sum", waste, 5, 4, filled * 4 < Room (tables[4].content) ? 1 : 0, filled, room,
               "Box<System.Collections.Concurrent.ConcurrentDictionary<System.String,System.Int32>>.content");
        PrintOne (100, array.Length, 8, "static Contents.array");
        Print ("growing", 1900, 2000, "static Contents.growing");
        Print ("growing", 40, 100, "static Contents.set");
        Print ("growing", concurrent.Count - 30, concurrent.Count, "static Contents.concurrent");
        Print ("growing", 2030, 3030, "static Contents.builder");
    }

    // "contents.exe MS" waits so long after the first snapshot.
    static void Main (string[] args)
    {
        Console.OutputEncoding = new UTF8Encoding (false);
        MakeStrings ();
        Fill ();
        GC.Collect ();
        Thread.Sleep (args.Length > 0 ? int.Parse (args[0]) : 0);
        Grow ();
        GC.Collect ();
        PrintCollections ();
    }
}
