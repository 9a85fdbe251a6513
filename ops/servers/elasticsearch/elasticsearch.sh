#!/usr/bin/env bash
# An Elasticsearch 8 for tests on 127.0.0.1, without security. See ops/engines.
# It is the distribution that Elastic publishes for tests of plugins. It has BM25, dense_vector and knn, filters, bulk, external
# versions, aliases and points in time. It lacks GET /, scripts, _delete_by_query, _reindex, and the language analyzers other
# than those of Analysis.java.
set -euo pipefail
name=elasticsearch
default_port=19200
heap=${ENGINE_HEAP:-512m}

# Elasticsearch refuses to run as root.
as=()
[ "$(id -u)" != 0 ] || as=(setpriv --reuid=nobody --regid=nogroup --clear-groups)

prepare() {
  [ -d "$installed/server" ] || install_server
  [ -d "$dir/server" ] && return
  # A server of its own, because it keeps its data and its configuration beside its programs; the jars are links.
  cp -al "$installed/server" "$dir/server"
  if [ "$(id -u)" = 0 ]; then
    chmod 755 "$dir" "$(dirname "$dir")"
    chown -R nobody:nogroup "$dir/server"
  fi
}

install_server() {
  local new=$installed/new
  rm -rf "$new"
  mkdir -p "$new/classes"
  # Maven remembers in marker files what it has unpacked; beside the pom they would outlive the files.
  mvn -q -B -f "$here/pom.xml" dependency:unpack-dependencies -DincludeTypes=zip -DoutputDirectory="$new" \
    -DmarkersDirectory="$new/markers"
  local server plugin version
  server=$(echo "$new"/elasticsearch-*)
  plugin=$server/plugins/counterfoil-analysis
  version=$(basename "$server"/lib/elasticsearch-core-*.jar .jar)
  mkdir -p "$plugin" "$server/logs"
  javac --release 17 -cp "$server/lib/*" -d "$new/classes" "$here/Analysis.java"
  jar cf "$plugin/analysis.jar" -C "$new/classes" .
  printf '%s\n' name=counterfoil-analysis description=analyzers version=1 \
    "elasticsearch.version=${version#elasticsearch-core-}" java.version=17 classname=counterfoil.Analysis \
    > "$plugin/plugin-descriptor.properties"
  chmod +x "$server"/bin/*
  mv "$server" "$installed/server"
  rm -rf "$new"
}

# By default it touches its whole heap at the start. Its options ask for another collector, which is switched off first.
run() {
  exec "${as[@]}" env -u ES_PATH_CONF ES_JAVA_HOME="$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")" \
    ES_JAVA_OPTS="-Xms$heap -Xmx$heap -XX:-AlwaysPreTouch -XX:TieredStopAtLevel=1 -XX:-UseG1GC -XX:+UseSerialGC" \
    setsid "$dir/server/bin/elasticsearch" -E discovery.type=single-node -E network.host=127.0.0.1 \
    -E http.port="$port" -E transport.port=$((port + 100)) -E xpack.security.enabled=false \
    -E cluster.routing.allocation.disk.threshold_enabled=false
}

ready() {
  curl -sf -o "$dir/health" "http://127.0.0.1:$port/_cluster/health?wait_for_status=yellow&timeout=1s" &&
    echo "export ELASTICSEARCH_URL=http://127.0.0.1:$port"
}

. "$(dirname "$0")/../process.sh"
