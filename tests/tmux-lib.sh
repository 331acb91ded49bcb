# tmux-lib.sh -- a terminal of tmux.  Sourced after a lib.sh, by tests that have tmux; their traps close it.
unset TMUX
terminals=0

in_tmux ()
{
  LC_ALL=C.UTF-8 tmux -S "$work/tmux$terminals" "$@"
}

# open_terminal COLUMNS ROWS COMMAND: the command runs in it.  Its server is its own: that of the terminal before may
# not have ended yet.
open_terminal ()
{
  terminals=$((terminals + 1))
  in_tmux -f /dev/null new-session -d -x "$1" -y "$2" "$3" 7>&- || fail "no tmux"
}

close_terminal ()
{
  in_tmux kill-server 2>/dev/null
}

# page_has TEXT: the terminal shows it.
page_has ()
{
  in_tmux capture-pane -p >"$work/page" 2>&1 && grep -q -F -e "$1" "$work/page"
}

# shows TEXT: the terminal comes to show it.
shows ()
{
  wait_for page_has "$1"
  checks=$((checks + 1))
}

# shows_line RE: a line that matches.
page_matches ()
{
  page_has '' && grep -q -e "$1" "$work/page"
}
shows_line ()
{
  wait_for page_matches "$1"
  checks=$((checks + 1))
}

press ()
{
  in_tmux send-keys "$@" || fail "tmux"
}
