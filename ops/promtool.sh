#!/usr/bin/env bash
# Prometheus' own check of rules and of their tests. Prints where promtool is; Debian's package is unpacked if it is missing.
#   promtool=$(ops/promtool.sh) && "$promtool" test rules ops/monitoring/alerts.test.yml
set -euo pipefail
directory=${TMPDIR:-/tmp}/counterfoil-promtool
if command -v promtool; then exit; fi
if ! [ -x "$directory/usr/bin/promtool" ]; then
  mkdir -p "$directory/download"
  chmod 777 "$directory/download"
  (cd "$directory/download" && { apt-get -qq download prometheus || { apt-get -qq update && apt-get -qq download prometheus; }; } >&2)
  dpkg-deb -x "$directory"/download/prometheus_*.deb "$directory"
fi
echo "$directory/usr/bin/promtool"
