#!/usr/bin/env bash
# Adds the digest of each image to ops/versions.json, as the registry that docker uses knows it, and writes the container files
# from it. An image with a digest is the same at each pull, even when someone publishes another one under its name.
#   ops/digests.sh            asks for the digests that are missing
#   ops/digests.sh --remove   removes them, before another version is set
set -euo pipefail
cd "$(dirname "$0")/.."
table=ops/versions.json

# set NAME DIGEST: writes one digest, or null
set_digest() {
  node -e '
    const [file, name, digest] = process.argv.slice(1);
    const fs = require("node:fs");
    const table = JSON.parse(fs.readFileSync(file, "utf8"));
    table[name].digest = digest === "" ? null : digest;
    fs.writeFileSync(file, JSON.stringify(table, null, 2) + "\n");
  ' "$table" "$1" "$2"
}

missing() {
  node -p '
    Object.entries(JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8")))
      .filter(([, { digest }]) => process.argv[2] === "--remove" || digest === null)
      .map(([name, { image, tag }]) => name + " " + image + ":" + tag).join("\n")
  ' "$table" "${1:-}"
}

missing "${1:-}" | while read -r name image; do
  [ -n "$name" ] || continue
  if [ "${1:-}" = --remove ]; then
    set_digest "$name" ""
    continue
  fi
  digest=$(docker buildx imagetools inspect --format '{{.Manifest.Digest}}' "$image" < /dev/null)
  [[ "$digest" =~ ^sha256:[0-9a-f]{64}$ ]] || { echo "docker gives no digest for $image" >&2; exit 1; }
  set_digest "$name" "$digest"
  echo "$image@$digest"
done
npm run --silent docs
