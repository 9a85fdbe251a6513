#!/usr/bin/env bash
# One audit of a Counterfoil log, best on another machine than that of the service. For cron; it prints something only if it fails:
#   ops/deploy/audit.sh https://memory.example.org /var/lib/counterfoil-audit
# The directory keeps what the audit has seen, so that the next one notices a log that was rewritten. Keep it.
set -euo pipefail
log=${1:?"usage: $0 BASE_URL DIRECTORY"}
kept=${2:?"usage: $0 BASE_URL DIRECTORY"}
here=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$kept"
output=$(node "$here/dist/src/cli/main.js" audit "$log" --state "$kept/log.json" 2>&1) || {
  printf '%s\n' "$output"
  exit 1
}
