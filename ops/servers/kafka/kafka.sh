#!/usr/bin/env bash
# A Kafka broker for tests: one node in KRaft mode on 127.0.0.1. See ops/engines.
set -euo pipefail
name=kafka
default_port=19092
heap=${ENGINE_HEAP:-256m}

prepare() {
  [ -d "$installed/lib" ] || {
    rm -rf "$installed/new"
    mvn -q -B -f "$here/pom.xml" dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory="$installed/new"
    mv "$installed/new" "$installed/lib"
  }
  configure
  [ -f "$dir/data/meta.properties" ] || java -Xmx64m -cp "$installed/lib/*:$dir" kafka.tools.StorageTool format \
    --standalone -c "$dir/server.properties" -t AAAAAAAAAAAAAAAAAAAAAQ > "$dir/format.log"
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
  cat > "$dir/log4j2.properties" << 'PROPERTIES'
rootLogger.level=WARN
rootLogger.appenderRef.o.ref=o
appender.o.type=Console
appender.o.name=o
appender.o.layout.type=PatternLayout
appender.o.layout.pattern=%d %p %c: %m%n
PROPERTIES
}

run() {
  exec setsid java -Xmx"$heap" -XX:+UseSerialGC -cp "$installed/lib/*:$dir" kafka.Kafka "$dir/server.properties"
}

# The port opens when the broker is registered.
ready() {
  (exec 3<> "/dev/tcp/127.0.0.1/$port") 2> /dev/null && echo "export KAFKA_BROKERS=127.0.0.1:$port"
}

. "$(dirname "$0")/../process.sh"
