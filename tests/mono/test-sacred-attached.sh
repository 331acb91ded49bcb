#!/bin/sh
# Whatever a program does and however it ends: when it is attached to, before that or meanwhile, it does and ends as
# without.
. "${srcdir:-.}/tests/mono/lib.sh"
ways='attach attach-midway'
! "$proflog" attach --help | grep -q -e '--wall' || ways="$ways attach-wall"
. "$tests/mono/sacred.sh"
