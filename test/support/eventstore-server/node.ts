import grpc from '@grpc/grpc-js';
import { type Address, deniedError, notLeaderError, type Refusal, refusal } from './errors.js';
import type { Append, Outcome, Store } from './store.js';

/** Everything that a server does wrong with an append. `persist-` ones store it first. */
export type AppendFault =
  | 'drop'
  | 'hang'
  | 'timeout'
  | 'persist-then-drop'
  | 'persist-then-hang'
  | 'persist-then-timeout'
  | 'not-leader';

/** Everything that a server does wrong with a read or a subscription. `some-then-` ones send the first event before. */
export type ReadFault = 'denied' | 'drop' | 'hang' | 'not-leader' | 'some-then-cancel' | 'some-then-drop';

export interface Faults {
  /** Asked before every call. A server that starts accepts connections before it can answer. */
  onCall?(): 'not-ready' | undefined;
  /** Asked before each append. Without a fault it is served as it should be. */
  onAppend?(append: Append): AppendFault | undefined;
  /** Asked before each read and subscription; `stream` is null for `$all`. */
  onRead?(read: { stream: string | null; isSubscription: boolean }): ReadFault | undefined;
  /** Asked before the first question of a client: which methods are there. */
  onFeatures?(): 'hang' | undefined;
}

/** Everything that a server knows and may do: a node of a cluster, whose streams are those of its leader. */
export interface Node {
  readonly store: Store;
  faults(): Faults;
  readonly maxAppendSize: number;
  /** Aborted when the server was asked to end. */
  readonly stopping: AbortSignal;
  /** The last position that this node has: a follower may lag. */
  seen(): number;
  leader(): Address;
  isLeader(): boolean;
  /** Null when the call may continue. */
  refuse(call: Call): Refusal | null;
  /** Stores an append, or does with it what the hook says. */
  commit(append: Append, call: Call): Outcome | 'unanswered' | 'timeout' | 'not-leader';
  /** Cuts the connection of a call. */
  drop(call: Call): void;
}

export interface Call {
  readonly metadata: grpc.Metadata;
  getPeer(): string;
}

interface NodeOptions {
  readonly store: Store;
  faults(): Faults;
  readonly maxAppendSize: number;
  readonly stopping: AbortSignal;
  /** `name:password` that every call must present. */
  readonly credentials: string | undefined;
  readonly leader: Address | undefined;
  readonly seen: () => number;
  readonly address: () => Address;
  readonly cut: (peer: string) => void;
}

export function createNode({
  store,
  faults,
  maxAppendSize,
  stopping,
  credentials,
  leader,
  seen,
  address,
  cut,
}: NodeOptions): Node {
  const authorization = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`;
  const drop = (call: Call): void => cut(call.getPeer());
  return {
    store,
    faults,
    maxAppendSize,
    stopping,
    seen,
    leader: () => leader ?? address(),
    isLeader: () => leader === undefined,
    refuse({ metadata }) {
      if (faults().onCall?.() === 'not-ready') return refusal(grpc.status.UNAVAILABLE, 'Server Is Not Ready');
      if (authorization && metadata.get('authorization')[0] !== authorization) return deniedError();
      if (leader && metadata.get('requires-leader')[0] === 'true') return notLeaderError(leader);
      return null;
    },
    commit(append, call) {
      const fault = faults().onAppend?.(append);
      if (fault === undefined) return store.append(append);
      if (fault.startsWith('persist-')) store.append(append);
      if (fault === 'not-leader') return 'not-leader';
      if (fault.endsWith('timeout')) return 'timeout';
      if (fault.endsWith('drop')) drop(call);
      return 'unanswered';
    },
    drop,
  };
}
