import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IGossipServer } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossipServices from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import type { ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import type { IServerFeaturesServer } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import featureServices from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import type { IStreamsServer } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streamServices from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { DeleteReq, TombstoneReq } from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import grpc from '@grpc/grpc-js';
import { append, batchAppend } from './append.js';
import { type Address, deletedError, nameOf, type Refusal, refusal } from './errors.js';
import { createNode, type Faults, type Node } from './node.js';
import { read } from './read.js';
import { createStore, type Expected, type Store } from './store.js';

export interface EventStoreServer {
  readonly store: Store;
  readonly port: number;
  /** A connection string, with the credentials when there are any. */
  readonly url: string;
  /** Everything that goes wrong from now on, instead of what went wrong before; `{}` ends it. */
  fail(faults: Faults): void;
  /** Cuts every connection, as a network does, and continues serving. */
  cut(): void;
  /** Ends as a process does that is asked to: subscriptions end without an error, and then connections and the port are closed. */
  shutDown(): Promise<void>;
  /** Ends as a killed process does: connections are cut and the port is free. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** Streams that outlive this server; new ones otherwise. */
  readonly store?: Store;
  readonly port?: number;
  readonly maxAppendSize?: number;
  readonly tls?: { readonly key: Buffer; readonly certificate: Buffer };
  /** `name:password`. A client sends them over TLS only. */
  readonly credentials?: string;
  /** Of a follower: calls that need the leader are refused with this address. */
  readonly leader?: Address;
  /** Of a follower: the last position that it has. */
  readonly seen?: () => number;
}

/** The time for the ends of subscriptions to reach their clients before the connections are closed, in milliseconds. */
const lastWordsMs = 100;

/** An EventStoreDB server over gRPC, for tests and benchmarks: the service definitions are those of the client. */
export async function startEventStore(options: ServerOptions = {}): Promise<EventStoreServer> {
  const sockets = new Map<string, Socket>();
  const stopping = new AbortController();
  let faults: Faults = {};
  const store = options.store ?? createStore();
  let port = options.port ?? 0;
  const node = createNode({
    store,
    faults: () => faults,
    maxAppendSize: options.maxAppendSize ?? 1024 * 1024,
    stopping: stopping.signal,
    credentials: options.credentials,
    leader: options.leader,
    seen: options.seen ?? (() => Number.POSITIVE_INFINITY),
    address: () => ({ host: '127.0.0.1', port }),
    cut: (peer) => sockets.get(peer)?.resetAndDestroy(),
  });
  const server = new grpc.Server({ 'grpc.max_receive_message_length': 17 * 1024 * 1024 });
  serveOn(server, node);
  const injector = server.createConnectionInjector(credentialsOf(options));
  const listener = createServer({ noDelay: true }, (socket) => {
    const peer = `${socket.remoteAddress}:${socket.remotePort}`;
    sockets.set(peer, socket);
    socket.on('close', () => sockets.delete(peer));
    socket.on('error', () => undefined);
    injector.injectConnection(socket);
  });
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject);
    listener.listen(port, '127.0.0.1', resolve);
  });
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  port = address.port;
  const cut = (): void => {
    for (const socket of sockets.values()) socket.resetAndDestroy();
  };
  const stop = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => listener.close(() => resolve()));
    cut();
    injector.destroy();
    server.forceShutdown();
    await closed;
  };
  const login = options.credentials?.split(':').map(encodeURIComponent).join(':');
  return {
    store,
    port,
    url: `esdb://${login ? `${login}@` : ''}127.0.0.1:${port}?tls=${options.tls !== undefined}`,
    fail(next) {
      faults = next;
    },
    cut,
    async shutDown() {
      stopping.abort();
      await sleep(lastWordsMs);
      await stop();
    },
    stop,
  };
}

function credentialsOf({ tls }: ServerOptions): grpc.ServerCredentials {
  if (!tls) return grpc.ServerCredentials.createInsecure();
  return grpc.ServerCredentials.createSsl(null, [{ private_key: tls.key, cert_chain: tls.certificate }]);
}

function serveOn(server: grpc.Server, node: Node): void {
  const ofStreams: IStreamsServer = {
    read: (call) => read(node, call),
    append: (call, answer) => append(node, call, answer),
    batchAppend: (call) => batchAppend(node, call),
    delete: (call, answer) => answer(remove(node, call, 'soft'), new streams.DeleteResp()),
    tombstone: (call, answer) => answer(remove(node, call, 'tombstone'), new streams.TombstoneResp()),
  };
  const ofFeatures: IServerFeaturesServer = {
    getSupportedMethods(_call, answer) {
      if (node.faults().onFeatures?.() !== 'hang') answer(null, supportedMethods());
    },
  };
  const ofGossip: IGossipServer = { read: (_call, answer) => answer(null, clusterInfo(node)) };
  server.addService(streamServices.StreamsService, ofStreams);
  server.addService(featureServices.ServerFeaturesService, ofFeatures);
  server.addService(gossipServices.GossipService, ofGossip);
}

function remove(
  node: Node,
  call: grpc.ServerUnaryCall<DeleteReq | TombstoneReq, unknown>,
  how: 'soft' | 'tombstone',
): Refusal | null {
  const refused = node.refuse(call);
  if (refused) return refused;
  const options = call.request.getOptions();
  const stream = nameOf(options?.getStreamIdentifier());
  const outcome = node.store.delete(stream, options ? expectedOf(options) : 'any', how);
  if (outcome.result === 'deleted') return deletedError(stream);
  if (outcome.result === 'stored') return null;
  return refusal(grpc.status.FAILED_PRECONDITION, 'Wrong expected version.', {
    exception: 'wrong-expected-version',
    'stream-name': stream,
  });
}

function expectedOf(options: DeleteReq.Options | TombstoneReq.Options): Expected {
  if (options.hasAny()) return 'any';
  if (options.hasNoStream()) return 'no-stream';
  if (options.hasStreamExists()) return 'stream-exists';
  return Number(options.getRevision());
}

function supportedMethods(): SupportedMethods {
  const answer = new features.SupportedMethods();
  answer.setEventStoreServerVersion('24.10.9');
  for (const name of ['append', 'batchappend', 'read', 'delete', 'tombstone']) {
    const method = new features.SupportedMethod();
    method.setServiceName('event_store.client.streams.streams');
    method.setMethodName(name);
    answer.addMethods(method);
  }
  return answer;
}

/** This node, and its leader when it follows one. */
function clusterInfo(node: Node): ClusterInfo {
  const states = gossip.MemberInfo.VNodeState;
  const info = new gossip.ClusterInfo();
  const { host, port } = node.leader();
  const endPoint = new gossip.EndPoint();
  endPoint.setAddress(host);
  endPoint.setPort(port);
  const member = new gossip.MemberInfo();
  member.setState(states.LEADER);
  member.setIsAlive(true);
  member.setHttpEndPoint(endPoint);
  info.addMembers(member);
  return info;
}
