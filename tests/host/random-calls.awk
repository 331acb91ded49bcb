# random-calls.awk -- a scenario of random calls of three threads: awk -v seed=N -f random-calls.awk.
# Each call begins at another time.  The first call of a thread ends last, and is long.
function pick (n) { return int (rand () * n) }
function pass (ns) { print "  clock " ns }
function enter (method) { pass (1 + pick (pick (20) == 0 ? 900 : 30)); print "  fire method_enter " method " 0"; stack[depth++] = method }
function leave () { depth--; print "  fire method_leave " stack[depth] " 0" }
function other_event (of)
{
  if (of == 0)
    print "  fire gc_allocation strings[0]"
  else
    print "  fire exception_throw exceptions[0]"
}
# Some frames end by an exception; the innermost of them perhaps without a word.
function unwind (frames)
{
  if (pick (3) == 0 && frames > 1) {
    depth--
    frames--
  }
  while (frames-- > 0) {
    depth--
    print "  fire method_exception_leave " stack[depth] " null"
  }
}
function run_calls (count, step, n)
{
  split ("Work Step Concat", methods, " ")
  depth = 0
  enter ("Main")
  while (count-- > 0) {
    step = pick (100)
    if (step < 45 && depth < 40)
      enter (methods[1 + pick (3)])
    else if (step < 85 && depth > 1) {
      pass (pick (8))
      leave ()
    } else if (step < 88 && depth > 1) {
      depth--
      print "  fire method_tail_call " stack[depth] " Concat"
      enter ("Concat")
    } else if (step < 90 && depth > 2)
      unwind (1 + pick (depth - 2))
    else if (step < 92)
      other_event (pick (2))
    else
      pass (pick (40))
  }
  while (depth > 1)
    leave ()
  pass (1000)
  leave ()
}
BEGIN {
  srand (seed)
  print "clock 1000"
  for (thread = 0; thread < 2; thread++) {
    print "thread t" thread "\non t" thread
    run_calls (400)
    print "end\nfinish t" thread
  }
  run_calls (400)
  print "shutdown"
}
