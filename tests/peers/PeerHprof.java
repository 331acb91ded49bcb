/* PeerHprof.java -- VisualVM's reader of HPROF.
 *
 * Usage: java -cp org-graalvm-visualvm-lib-jfluid-heap.jar PeerHprof.java NODES DUMP
 *        java -cp org-graalvm-visualvm-lib-jfluid-heap.jar PeerHprof.java --fields DUMP
 *
 * With --fields it prints "CLASS FIELD CLASS" for each field that refers to an object.
 *
 * Sizes follow the rules of the format: an object is compared if they have room for its size.  What
 * an object retains is worked out with the reader's sizes from our dominators, so that they are
 * judged whatever the sizes.
 */
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.graalvm.visualvm.lib.jfluid.heap.FieldValue;
import org.graalvm.visualvm.lib.jfluid.heap.Heap;
import org.graalvm.visualvm.lib.jfluid.heap.HeapFactory;
import org.graalvm.visualvm.lib.jfluid.heap.Instance;
import org.graalvm.visualvm.lib.jfluid.heap.JavaClass;
import org.graalvm.visualvm.lib.jfluid.heap.ObjectFieldValue;

public class PeerHprof {
  static final int ROOTS = -1, NONE = -2;
  static int wrong, checked;

  static void same (String what, String address, Object theirs, Object ours) {
    checked++;
    if (theirs.equals (ours))
      return;
    if (wrong++ < 20)
      System.err.println (address + " " + what + ": " + theirs + ", and ours is " + ours);
  }

  /* As our names stand in the dump: see export-hprof.c. */
  static String plain (String name) {
    return name.replace (" (size varies)[]", "").replace ('/', '.');
  }

  static void printFields (Heap heap) {
    for (Instance i : (Iterable<Instance>) () -> heap.getAllInstancesIterator ())
      for (FieldValue value : (List<FieldValue>) i.getFieldValues ())
        if (value instanceof ObjectFieldValue && ((ObjectFieldValue) value).getInstance () != null)
          System.out.println (
              i.getJavaClass ().getName () + " " + value.getField ().getName () + " "
              + ((ObjectFieldValue) value).getInstance ().getJavaClass ().getName ());
  }

  public static void main (String[] arguments) throws Exception {
    if (arguments[0].equals ("--fields")) {
      printFields (HeapFactory.createHeap (new File (arguments[1])));
      return;
    }
    List<String> lines = Files.readAllLines (Path.of (arguments[0]));
    int n = lines.size (), reached = 0;
    String[] address = new String[n], type = new String[n];
    long[] bytes = new long[n], retained = new long[n];
    int[] dominator = new int[n];
    for (int i = 0; i < n; i++) {
      String[] parts = lines.get (i).split ("\t");
      address[i] = parts[1];
      bytes[i] = Long.parseLong (parts[2]);
      dominator[i] = parts[4].equals ("roots") ? ROOTS
                     : parts[4].equals ("none") ? NONE
                                                : Integer.parseInt (parts[4]);
      type[i] = parts[6].replace ('/', '.');
    }
    Heap heap = HeapFactory.createHeap (new File (arguments[1]));
    Instance[] instances = new Instance[n];
    for (int i = 0; i < n; i++) {
      instances[i] = heap.getInstanceByID (Long.decode (address[i]));
      if (instances[i] == null) {
        same ("object", address[i], "missing", "there");
        return;
      }
      long size = instances[i].getSize ();
      same ("name", address[i], plain (instances[i].getJavaClass ().getName ()), type[i]);
      if (bytes[i] >= 24 && bytes[i] % 8 == 0)
        same ("bytes", address[i], size, bytes[i]);
      retained[i] = size;
    }
    add (dominator, retained);
    for (int i = 0; i < n; i++) {
      if (dominator[i] == NONE)
        continue;
      reached++;
      same ("retained", address[i], instances[i].getRetainedSize (), retained[i]);
    }
    int objects = 0;
    for (JavaClass c : (List<JavaClass>) heap.getAllClasses ())
      if (!c.getName ().startsWith ("java."))
        objects += c.getInstancesCount ();
    same ("objects", "all", objects, n);
    System.out.println ("VisualVM: " + n + " objects, " + reached + " reached, " + checked
                        + " figures compared, " + wrong + " wrong");
    System.exit (wrong == 0 && reached > 0 ? 0 : 1);
  }

  /* Adds what each object has to its dominator, from the leaves on. */
  static void add (int[] dominator, long[] retained) {
    int[] children = new int[dominator.length];
    List<Integer> ready = new ArrayList<> ();
    for (int d : dominator)
      if (d >= 0)
        children[d]++;
    for (int i = 0; i < dominator.length; i++)
      if (children[i] == 0)
        ready.add (i);
    for (int k = 0; k < ready.size (); k++) {
      int i = ready.get (k), d = dominator[i];
      if (d < 0)
        continue;
      retained[d] += retained[i];
      if (--children[d] == 0)
        ready.add (d);
    }
  }
}
