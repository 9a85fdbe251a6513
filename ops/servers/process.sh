# What the scripts of the servers share. They set `name`, `default_port` and a function `prepare`, which installs and configures
# the server, and `run`, which becomes the server.
here=$(cd "$(dirname "${BASH_SOURCE[1]}")" && pwd)
port=${ENGINE_PORT:-$default_port}
# What is downloaded is kept here, for all servers of a kind.
installed=${TMPDIR:-/tmp}/counterfoil-engines/$name
dir=${TMPDIR:-/tmp}/counterfoil-engines/$name-${ENGINE_NAME:-tests}-$port

# A dead process that nobody has waited for yet (state Z) is not alive, though kill -0 says so.
alive() { [ -s "$dir/pid" ] && ps -o stat= -p "$(cat "$dir/pid")" | grep -q '^[^Z]'; }

# The process and those that it has started: some servers are started by a launcher.
family() { ps -o pid= -p "$(cat "$dir/pid")" --ppid "$(cat "$dir/pid")" | xargs; }

start() {
  alive || {
    mkdir -p "$dir"
    prepare >&2
    # A session of its own, so that a Ctrl-C on the tests does not end it.
    (run > "$dir/log" 2>&1 < /dev/null & echo $! > "$dir/pid")
  }
  for _ in $(seq 900); do
    ready && exit
    alive || break
    sleep 0.2
  done
  echo "$name did not start; the end of $dir/log:" >&2
  tail -20 "$dir/log" | cut -c1-300 >&2
  exit 1
}

end() {
  alive || return 0
  local pids
  pids=$(family)
  kill "-$1" $pids 2> /dev/null || true
  # A paused process ends when it continues.
  kill -CONT $pids 2> /dev/null || true
  while ps -o stat= -p "${pids// /,}" | grep -q '^[^Z]'; do sleep 0.1; done
}

case "${1:-}" in
  start) start ;;
  kill) end KILL ;;
  pause) kill -STOP $(family) ;;
  resume) kill -CONT $(family) ;;
  stop)
    end TERM
    rm -rf "$dir"
    ;;
  *)
    echo "usage: $0 start | kill | pause | resume | stop" >&2
    exit 2
    ;;
esac
