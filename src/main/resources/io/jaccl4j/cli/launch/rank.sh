# One rank of the command "launch", on whichever machine it runs. What comes before this text has set
# the rank's command as the positional parameters, $launch_grace_seconds, and two functions: write_files
# writes into $launch_directory, set_environment prepares the process that becomes the rank. Variables have a
# prefix, since one that the environment has already would reach the rank.
#
# Standard input comes from the launcher: the number of bytes that follow, on a line, and the bytes, again
# and again; 0 is the end of what the rank may read. End of file says that the launcher is gone, however
# that came about, and ends the rank and all that it has started.
#
# Any POSIX shell. mktemp is no part of POSIX, but of every Linux and of macOS.

exec 3<&0 </dev/null
# Ctrl-C reaches this shell and the launcher at once; the launcher decides.
trap '' INT QUIT

refuse() {
  printf 'launch: %s\n' "$1" >&2
  exit 125
}

launch_directory=$(mktemp -d "${TMPDIR:-/tmp}/jaccl4j-launch.XXXXXX") || refuse "no directory for files"
trap 'rm -rf "$launch_directory"' EXIT
write_files && mkfifo "$launch_directory/stdin" "$launch_directory/ready" || refuse "cannot write in $launch_directory"

# Looked for before the rank's environment changes the path. In a group of its own, the rank ends with
# all that it has started; without either program it ends alone.
launch_setsid=$(command -v setsid) || launch_setsid=
launch_perl=$(command -v perl) || launch_perl=

become_rank() {
  set_environment || refuse "cannot prepare the rank"
  if [ -n "$launch_setsid" ]; then
    exec "$launch_setsid" /bin/sh -c 'exec "$@"' launch "$@"
  elif [ -n "$launch_perl" ]; then
    exec "$launch_perl" -e 'setpgrp(0, 0); exec { $ARGV[0] } @ARGV' /bin/sh -c 'exec "$@"' launch "$@"
  fi
  exec "$@"
}

# Hands the chunks to the rank, as slowly as it reads. Apart from listen, which must hear of the
# launcher's end while the rank does not read.
feed() {
  while read -r launch_chunk; do
    cat "$launch_directory/$launch_chunk" || return
    rm "$launch_directory/$launch_chunk"
  done
}

# No "--" before a group: neither dash nor BusyBox take it there.
signal() {
  kill -"$1" "-$launch_rank" 2>/dev/null || kill -"$1" "$launch_rank" 2>/dev/null
}

listen() {
  exec 3<&-
  trap '' PIPE TERM HUP INT
  exec 4>"$launch_directory/ready"
  launch_chunk=0
  while read -r launch_bytes && [ "$launch_bytes" -gt 0 ]; do
    launch_chunk=$((launch_chunk + 1))
    # One byte at a time, since more would be taken from what follows.
    dd ibs=1 obs=65536 count="$launch_bytes" >"$launch_directory/$launch_chunk"
    echo "$launch_chunk" >&4
  done
  exec 4>&-
  if [ "$launch_bytes" = 0 ]; then
    while read -r launch_bytes; do :; done
  fi
  signal TERM
  launch_waited=0
  while [ "$launch_waited" -lt "$launch_grace_seconds" ] && kill -0 "$launch_rank"; do
    sleep 1
    launch_waited=$((launch_waited + 1))
  done
  # For the case that the shell below is gone too.
  signal KILL
  kill -KILL "$launch_feeder"
  rm -rf "$launch_directory"
}

feed <"$launch_directory/ready" >"$launch_directory/stdin" 2>/dev/null 3<&- &
launch_feeder=$!
become_rank "$@" <"$launch_directory/stdin" 3<&- &
launch_rank=$!
listen <&3 >/dev/null 2>&1 &
launch_listener=$!
# The rank's output ends with the rank; and shells like to tell who was killed.
exec 3<&- >/dev/null 2>&1

trap 'launch_interrupted=yes; signal TERM' TERM HUP
while :; do
  launch_interrupted=
  wait "$launch_rank"
  launch_status=$?
  [ -n "$launch_interrupted" ] || break
done
# What the rank has left behind.
kill -KILL "-$launch_rank" 2>/dev/null
kill -KILL "$launch_listener" "$launch_feeder" 2>/dev/null
exit "$launch_status"
