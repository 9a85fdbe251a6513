#!/usr/bin/env bash
# Installs the peers of `npm run bench -- peers` beside the project: nothing of them becomes a part of it. Prints one line for
# each, with tabs: its name, its version, and why it is missing, if it is. Needs Go, Python and npm.
#   ops/bench/peers/install.sh [directory]
set -uo pipefail
directory=${1:-/tmp/counterfoil-peers}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$directory"

tessera() {
  mkdir -p "$directory/tessera" && cd "$directory/tessera" && cp "$here/tessera/main.go" . || return
  test -f go.mod || go mod init example.org/peer || return
  go get "github.com/transparency-dev/tessera@v$1" && go mod tidy && go build -o peer .
}

chroma() {
  python3 -m venv "$directory/chroma" &&
    "$directory/chroma/bin/pip" install --quiet --disable-pip-version-check "chromadb==$1"
}

lancedb() {
  mkdir -p "$directory/lancedb" && cd "$directory/lancedb" && cp "$here/lancedb.mjs" . || return
  echo '{"name":"peer","private":true}' > package.json
  npm install --no-audit --no-fund --loglevel=error "@lancedb/lancedb@$1"
}

# A peer that is there in this version is only given its program again.
for peer in tessera:1.0.4 chroma:1.5.9 lancedb:0.39.0; do
  name=${peer%:*} version=${peer#*:} log=$directory/${peer%:*}.log why=''
  ("$name" "$version") > "$log" 2>&1 || why="installing it failed: $(grep -v '^$' "$log" | tail -1)"
  printf '%s\t%s\t%s\n' "$name" "$version" "$why"
done
printf 'immudb\t-\tthere is no program for it: its Go module was refused where these were written\n'
