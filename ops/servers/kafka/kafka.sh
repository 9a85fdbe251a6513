#!/usr/bin/env bash
# A Kafka broker for tests: one node in KRaft mode on 127.0.0.1. See ops/engines.
# With ENGINE_SECURITY=on clients need TLS and the user `counterfoil` with the password `kafka-secret` (PLAIN or SCRAM-SHA-512), and
# KAFKA_CERTIFICATES is set to the directory of certificates. Other listeners are at the port and 2: TLS with a certificate of the
# client, and 3: TLS with a certificate that has expired, and 4: neither TLS nor passwords.
set -euo pipefail
name=kafka
default_port=19092
heap=${ENGINE_HEAP:-256m}
user=counterfoil
password=kafka-secret
users=()

prepare() {
  [ -d "$installed/lib" ] || {
    rm -rf "$installed/new"
    mvn -q -B -f "$here/pom.xml" dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory="$installed/new"
    mv "$installed/new" "$installed/lib"
  }
  configure
  [ -f "$dir/data/meta.properties" ] || java -Xmx64m -cp "$installed/lib/*:$dir" kafka.tools.StorageTool format \
    --standalone -c "$dir/server.properties" -t AAAAAAAAAAAAAAAAAAAAAQ "${users[@]}" > "$dir/format.log"
}

configure() {
  local controller=$((port + 1))
  # The session timeout matters: after a kill the restarted broker is refused until its old registration has ended, 9 s by
  # default. The dedupe buffer takes 128 MB of the heap by default.
  cat > "$dir/server.properties" << PROPERTIES
process.roles=broker,controller
node.id=1
controller.quorum.bootstrap.servers=127.0.0.1:$controller
listeners=PLAINTEXT://127.0.0.1:$port,CONTROLLER://127.0.0.1:$controller
advertised.listeners=PLAINTEXT://127.0.0.1:$port,CONTROLLER://127.0.0.1:$controller
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
inter.broker.listener.name=PLAINTEXT
controller.listener.names=CONTROLLER
log.dirs=$dir/data
auto.create.topics.enable=false
offsets.topic.num.partitions=1
offsets.topic.replication.factor=1
transaction.state.log.num.partitions=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
broker.session.timeout.ms=2000
broker.heartbeat.interval.ms=500
controller.quorum.fetch.timeout.ms=1000
controller.quorum.election.timeout.ms=500
log.cleaner.dedupe.buffer.size=2097152
PROPERTIES
  if [[ ${ENGINE_SECURITY:-off} == on ]]; then secure; fi
  cat > "$dir/log4j2.properties" << 'PROPERTIES'
rootLogger.level=WARN
rootLogger.appenderRef.o.ref=o
appender.o.type=Console
appender.o.name=o
appender.o.layout.type=PatternLayout
appender.o.layout.pattern=%d %p %c: %m%n
PROPERTIES
}

# Replaces the listeners of the configuration.
secure() {
  users=(--add-scram "SCRAM-SHA-512=[name=$user,password=$password]")
  [ -d "$dir/certificates" ] || {
    mkdir "$dir/certificates"
    "$here/../certificates.sh" "$dir/certificates"
  }
  local clients="SECURE://127.0.0.1:$port,MUTUAL://127.0.0.1:$((port + 2)),EXPIRED://127.0.0.1:$((port + 3))"
  local others="OPEN://127.0.0.1:$((port + 4)),CONTROLLER://127.0.0.1:$((port + 1))"
  local modules=org.apache.kafka.common.security
  sed -i '/^listeners=\|^advertised.listeners=\|^listener.security.protocol.map=\|^inter.broker.listener.name=/d' "$dir/server.properties"
  cat >> "$dir/server.properties" << PROPERTIES
listeners=$clients,$others
advertised.listeners=$clients,$others
listener.security.protocol.map=SECURE:SASL_SSL,MUTUAL:SSL,EXPIRED:SSL,OPEN:PLAINTEXT,CONTROLLER:PLAINTEXT
inter.broker.listener.name=OPEN
sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-512
listener.name.secure.plain.sasl.jaas.config=$modules.plain.PlainLoginModule required user_$user="$password";
listener.name.secure.scram-sha-512.sasl.jaas.config=$modules.scram.ScramLoginModule required;
listener.name.mutual.ssl.client.auth=required
$(store secure server)
$(store mutual server)
$(store expired expired)
PROPERTIES
}

# The key and the certificates of a listener.
store() {
  cat "$dir/certificates/$2.key" "$dir/certificates/$2.pem" > "$dir/certificates/$1-store.pem"
  cat << PROPERTIES
listener.name.$1.ssl.keystore.type=PEM
listener.name.$1.ssl.keystore.location=$dir/certificates/$1-store.pem
listener.name.$1.ssl.truststore.type=PEM
listener.name.$1.ssl.truststore.location=$dir/certificates/ca.pem
PROPERTIES
}

run() {
  exec setsid java -Xmx"$heap" -XX:+UseSerialGC -cp "$installed/lib/*:$dir" kafka.Kafka "$dir/server.properties"
}

# The port opens when the broker is registered.
ready() {
  (exec 3<> "/dev/tcp/127.0.0.1/$port") 2> /dev/null || return
  echo "export KAFKA_BROKERS=127.0.0.1:$port"
  if [[ ${ENGINE_SECURITY:-off} == on ]]; then echo "export KAFKA_CERTIFICATES=$dir/certificates"; fi
}

# shellcheck source=ops/servers/process.sh
. "$(dirname "$0")/../process.sh"
