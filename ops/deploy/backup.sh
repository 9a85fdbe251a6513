#!/usr/bin/env bash
# One backup of Counterfoil: the keys and the store, in a directory that is named by the time. For cron, as the user of the service:
#   ops/deploy/backup.sh /var/backups/counterfoil 14
# It reads /etc/counterfoil/env (or ENV_FILE) where that is there, keeps the newest backups, 14 of them, and is silent unless it fails.
set -euo pipefail
umask 077
to=${1:?"usage: $0 DIRECTORY [HOW_MANY]"}
keep=${2:-14}
env_file=${ENV_FILE:-/etc/counterfoil/env}
if [ -r "$env_file" ]; then
  set -a
  # shellcheck disable=SC1090 # The settings of this machine.
  . "$env_file"
  set +a
fi
here=$(cd "$(dirname "$0")/../.." && pwd)
data=${DATA_DIR:-$here/data}
# A failure in the middle leaves a directory with this ending, which no one takes for a backup.
name="$to/$(date -u +%Y-%m-%dT%H%M%SZ)"
mkdir -p "$to"
find "$to" -maxdepth 1 -name '*.part' -mtime +1 -exec rm -rf {} +
if [ -n "${DATABASE_URL:-}" ]; then
  command -v pg_dump > /dev/null || { echo "backup.sh: pg_dump is missing: install postgresql-client, of the server's version or later." >&2; exit 1; }
  mkdir "$name.part"
  # The keys first: the store may be newer than they are, and not older.
  cp -r "$data/keys" "$name.part/keys"
  pg_dump --format=custom --file="$name.part/store.dump" "$DATABASE_URL"
else
  DATA_DIR=$data node "$here/dist/src/cli/main.js" backup "$name.part" > /dev/null
fi
mv "$name.part" "$name"
find "$to" -maxdepth 1 -mindepth 1 -type d -name '2*Z' | sort | head -n "-$keep" | xargs -r -d '\n' rm -rf
