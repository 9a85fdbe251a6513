#!/usr/bin/env bash
# An Elasticsearch 8 for tests on 127.0.0.1. See ops/engines. With ENGINE_SECURITY=on clients need TLS and an API key, which the user
# `tests` with the password `elasticsearch-secret` may make; ELASTICSEARCH_CERTIFICATES is set to the directory of certificates.
# It is the distribution that Elastic publishes for tests of plugins. It has BM25, dense_vector and knn, filters, bulk, external
# versions, aliases and points in time. It lacks GET /, scripts, _delete_by_query, _reindex, and the language analyzers other
# than those of Analysis.java.
set -euo pipefail
name=elasticsearch
default_port=19200
heap=${ENGINE_HEAP:-512m}
security=${ENGINE_SECURITY:-off}
options=(-E xpack.security.enabled=false)
[ "$security" = off ] || options=(-E xpack.security.enabled=true -E xpack.security.autoconfiguration.enabled=false
  -E xpack.security.http.ssl.enabled=true -E xpack.security.http.ssl.key=certificates/server.key
  -E xpack.security.http.ssl.certificate=certificates/server.pem)

# Elasticsearch refuses to run as root.
as=()
[ "$(id -u)" != 0 ] || as=(setpriv --reuid=nobody --regid=nogroup --clear-groups)

prepare() {
  [ -d "$installed/server" ] || install_server
  cmp -s "$here/Analysis.java" "$installed/Analysis.java" || build_plugin
  [ -d "$dir/server" ] && return
  # A server of its own, because it keeps its data and its configuration beside its programs; the jars are links.
  cp -al "$installed/server" "$dir/server"
  if [ "$security" = on ]; then secure; fi
  if [ "$(id -u)" = 0 ]; then
    chmod 755 "$dir" "$(dirname "$dir")"
    chown -R nobody:nogroup "$dir/server"
  fi
}

install_server() {
  local new=$installed/new server
  rm -rf "$new" "$installed/Analysis.java"
  mkdir -p "$new"
  # Maven remembers in marker files what it has unpacked; beside the pom they would outlive the files.
  mvn -q -B -f "$here/pom.xml" dependency:unpack-dependencies -DincludeTypes=zip -DoutputDirectory="$new" \
    -DmarkersDirectory="$new/markers"
  server=$(echo "$new"/elasticsearch-*)
  mkdir -p "$server/logs"
  chmod +x "$server"/bin/*
  mv "$server" "$installed/server"
  rm -rf "$new"
}

build_plugin() {
  local new version plugin=$installed/server/plugins/counterfoil-analysis
  new=$(mktemp -d)
  version=$(basename "$installed"/server/lib/elasticsearch-core-*.jar .jar)
  javac --release 17 -cp "$installed/server/lib/*" -d "$new/classes" "$here/Analysis.java"
  mkdir -p "$plugin"
  # Servers that run have links to the old file.
  rm -f "$plugin/analysis.jar"
  jar cf "$plugin/analysis.jar" -C "$new/classes" .
  printf '%s\n' name=counterfoil-analysis description=analyzers version=1 \
    "elasticsearch.version=${version#elasticsearch-core-}" java.version=17 classname=counterfoil.Analysis \
    > "$plugin/plugin-descriptor.properties"
  cp "$here/Analysis.java" "$installed/Analysis.java"
  rm -rf "$new"
}

# Certificates, and a user who may do everything. The file of passwords holds the hash that bin/elasticsearch-users makes.
secure() {
  local config=$dir/server/config
  mkdir "$config/certificates"
  "$here/../certificates.sh" "$config/certificates"
  rm -f "$config/users" "$config/users_roles"
  # shellcheck disable=SC2016 # A hash of a password, with its signs.
  echo 'tests:$2a$10$7ICmJmp29NgPyzt0EKjPfuGsN29Is6XuQptuwt41ZggsYywa9aq4G' > "$config/users"
  echo 'superuser:tests' > "$config/users_roles"
}

# By default it touches its whole heap at the start. Its options ask for another collector, which is switched off first.
run() {
  exec "${as[@]}" env -u ES_PATH_CONF ES_JAVA_HOME="$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")" \
    ES_JAVA_OPTS="-Xms$heap -Xmx$heap -XX:-AlwaysPreTouch -XX:TieredStopAtLevel=1 -XX:-UseG1GC -XX:+UseSerialGC" \
    setsid "$dir/server/bin/elasticsearch" -E discovery.type=single-node -E network.host=127.0.0.1 \
    -E http.port="$port" -E transport.port=$((port + 100)) "${options[@]}" \
    -E cluster.routing.allocation.disk.threshold_enabled=false
}

ready() {
  local url=http://127.0.0.1:$port certificates=$dir/server/config/certificates as_user=()
  [ "$security" = off ] || {
    url=https://127.0.0.1:$port
    as_user=(--cacert "$certificates/ca.pem" -u tests:elasticsearch-secret)
  }
  curl -sf "${as_user[@]}" -o "$dir/health" "$url/_cluster/health?wait_for_status=yellow&timeout=1s" || return
  echo "export ELASTICSEARCH_URL=$url"
  [ "$security" = off ] || echo "export ELASTICSEARCH_CERTIFICATES=$certificates"
}

# shellcheck source=ops/servers/process.sh
. "$(dirname "$0")/../process.sh"
