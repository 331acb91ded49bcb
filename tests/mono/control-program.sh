# control-program.sh -- what tests share that have programs/control.exe do things step by step under the
# module.  Sourced after lib.sh.
. "$tests/steps-lib.sh"
compile control

# begin OPTIONS: starts the program; where they name no output, that is $log.
begin ()
{
  echo "case: $1"
  rm -f "$log" "$log.spool"
  options=$1
  case $options in
    *output=*) ;;
    *) options=$options,output=$log ;;
  esac
  begin_steps env "LD_LIBRARY_PATH=$module_dir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" \
    mono "--profile=proflog:$options" "$programs/control.exe"
}
