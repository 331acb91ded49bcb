/* test-wait-kind.c -- which wrappers of native code wait. */
#include "config.h"

#include "decoder/core/library-names.h"
#include "decoder/mlpd/model/wait-kind.h"
#include "tests/unit/test.h"

#define NATIVE "(wrapper managed-to-native) "

TEST (test_methods)
{
  static const struct {
    const char *name;
    enum wait_kind kind;
  } cases[] = {
    { NATIVE "System.Threading.Thread:SleepInternal (int)", WAIT_SLEEP },
    { NATIVE "System.Threading.WaitHandle:Wait_internal (intptr*,int,bool,int)", WAIT_EVENT },
    { NATIVE "System.Threading.Monitor:Monitor_wait (object,int)", WAIT_EVENT },
    { NATIVE "System.Threading.Thread:JoinInternal (int)", WAIT_JOIN },
    { NATIVE "My.Own.Native:waitpid (int,int&,int)", WAIT_CHILD },
    { NATIVE "object:__icall_wrapper_mono_monitor_enter_v4_internal (object,intptr)", WAIT_LOCK },
    { NATIVE "System.Net.Sockets.Socket:Poll_internal (intptr,int,int,int&)", WAIT_POLL },
    { NATIVE "System.Net.Sockets.Socket:Receive_icall (intptr,byte*,int,int,int&,bool)", WAIT_IO },
    { NATIVE "System.IO.MonoIO:Read (intptr,byte[],int,int,System.IO.MonoIOError&)", WAIT_IO },
    { NATIVE "System.GC:WaitForPendingFinalizers ()", WAIT_GC },
    { NATIVE "My.Own.Native:usleep (uint)", WAIT_SLEEP },
    { NATIVE "My.Own.Native:poll", WAIT_POLL },
    { NATIVE "My.Own.Native:usleeper (uint)", WAIT_NONE },
    { NATIVE "My.Own.Native:SleepInternal (int)", WAIT_NONE },
    { NATIVE "System.GC:InternalCollect (int)", WAIT_NONE },
    { NATIVE "nothing", WAIT_NONE },
    { "System.Threading.Thread:SleepInternal (int)", WAIT_NONE },
    { "My.Own.Native:usleep (uint)", WAIT_NONE },
    { "", WAIT_NONE },
    { NULL, WAIT_NONE },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_int_equal (wait_kind_of_method (cases[i].name), cases[i].kind);
}

TEST (test_names)
{
  assert_string_equal (wait_kind_name (WAIT_LOCK), "lock");
  assert_string_equal (wait_kind_name (WAIT_EVENT), "event");
  assert_string_equal (wait_kind_name (WAIT_JOIN), "join");
  assert_string_equal (wait_kind_name (WAIT_CHILD), "child");
  assert_string_equal (wait_kind_name (WAIT_GC), "gc");
  assert_null (wait_kind_name (WAIT_NONE));
}

/* One function has several symbols. */
TEST (test_functions)
{
  assert_int_equal (wait_kind_of_function ("read"), WAIT_IO);
  assert_int_equal (wait_kind_of_function ("__GI___libc_read"), WAIT_IO);
  assert_int_equal (wait_kind_of_function ("__poll"), WAIT_POLL);
  assert_int_equal (wait_kind_of_function ("__GI___clock_nanosleep"), WAIT_SLEEP);
  assert_int_equal (wait_kind_of_function ("__futex_abstimed_wait_common64"), WAIT_EVENT);
  assert_int_equal (wait_kind_of_function ("__lll_lock_wait"), WAIT_LOCK);
  assert_int_equal (wait_kind_of_function ("__waitpid"), WAIT_CHILD);
  assert_int_equal (wait_kind_of_function ("readdir"), WAIT_NONE);
  assert_int_equal (wait_kind_of_function (""), WAIT_NONE);
  assert_int_equal (wait_kind_of_function (NULL), WAIT_NONE);
}

TEST (test_inside)
{
  assert_true (wait_is_inside ("(wrapper managed-to-native) App:poll (intptr)"));
  assert_true (wait_is_inside ("System.Threading.Monitor:Wait (object)"));
  assert_false (wait_is_inside ("App:Wait (object)"));
  assert_false (wait_is_inside ("System.Collections.Generic.List`1:Add (T_REF)"));
}

TEST (test_of_program)
{
  assert_true (library_names_is_program ("App:Wait (object)"));
  assert_true (library_names_is_program ("Handler/<Main>c__AnonStorey2:<>m__0 ()"));
  assert_false (library_names_is_program ("System.Net.HttpWebRequest:GetResponse ()"));
  assert_false (library_names_is_program ("System.Threading.Tasks.Task:Wait ()"));
  assert_false (library_names_is_program ("(wrapper managed-to-native) App:poll (intptr)"));
  assert_false (library_names_is_program ("string:Concat (string,string)"));
  assert_false (library_names_is_program ("int[]:CopyTo (int[],int)"));
  assert_false (library_names_is_program ("Interop/Sys:Read (intptr)"));
  assert_true (library_names_is_program ("strings:Concat (string)"));
}
