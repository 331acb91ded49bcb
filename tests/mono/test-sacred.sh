#!/bin/sh
# Whatever a program does and however it ends: under `proflog run` it does and ends as without.
. "${srcdir:-.}/tests/mono/lib.sh"
ways='run run-allocs run-calls run-heapshot'
! "$proflog" run --help | grep -q -e '--wall' || ways="$ways run-wall"
. "$tests/mono/sacred.sh"
