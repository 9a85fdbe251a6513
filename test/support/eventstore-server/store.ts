import { hiddenBefore, type StreamMetadata } from './metadata.js';

/** Everything that the writer of an event says about it. */
export interface Proposed {
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly customMetadata: Uint8Array;
}

export interface Recorded extends Proposed {
  readonly stream: string;
  readonly revision: number;
  /** The place in `$all`, which is where the record of the event begins: commit and prepare position are the same. */
  readonly position: number;
  readonly createdMs: number;
}

export type Expected = number | 'any' | 'no-stream' | 'stream-exists';

export interface Append {
  readonly stream: string;
  readonly expected: Expected;
  readonly events: readonly Proposed[];
}

export type Outcome =
  | { readonly result: 'stored'; readonly revision: number; readonly position: number }
  | { readonly result: 'wrong-version'; readonly current: number | null }
  | { readonly result: 'deleted' };

/** One append as it is written to a file: all of its events or none. */
export interface Transaction {
  readonly stream: string;
  readonly createdMs: number;
  readonly events: readonly Proposed[];
}

/** The streams of one node or cluster. It outlives the servers that serve it. */
export interface Store {
  /** Every event in the order of `$all`, system events included. */
  readonly all: readonly Recorded[];
  append(append: Append): Outcome;
  /** Soft: hides the events until someone appends. Hard (`tombstone`): the name can never be used again. */
  delete(stream: string, expected: Expected, how: 'soft' | 'tombstone'): Outcome;
  /**
   * The events of a stream that its metadata does not hide. `deleted` when it has a tombstone, or the stream has whose metadata it
   * holds; null when there is none.
   */
  read(stream: string, upTo: number): readonly Recorded[] | 'deleted' | null;
  /** Whether a read of `$all` may begin at this commit position: a record begins or began there, or it is beyond the end. */
  isPlace(position: number): boolean;
  /** Removes forever what metadata and deletes hide. The last event of each stream stays. */
  scavenge(): void;
  /** Called after each append. @returns a function that ends it */
  listen(onAppended: () => void): () => void;
  /** The next appends are also given to this function, before anything else sees them. */
  persistTo(write: (transaction: Transaction) => void): void;
}

export const tombstone = '$streamDeleted';
/** How many events of a stream are searched for the ids of an append with `any` or `stream-exists`. */
const recentIds = 1000;

export function createStore(earlier: Iterable<Transaction> = []): Store {
  const all: Recorded[] = [];
  const streams = new Map<string, Recorded[]>();
  const listeners = new Set<() => void>();
  let write: (transaction: Transaction) => void = () => undefined;
  const removed = new Set<Recorded>();
  let position = firstPosition;

  function record({ stream, createdMs, events }: Transaction): Outcome {
    const recorded = streams.get(stream) ?? [];
    streams.set(stream, recorded);
    for (const event of events) {
      const one = { ...event, stream, revision: recorded.length, position, createdMs };
      position = positionAfter(one);
      recorded.push(one);
      all.push(one);
    }
    return { result: 'stored', revision: recorded.length - 1, position: all.at(-1)?.position ?? position };
  }

  function store(stream: string, events: readonly Proposed[]): Outcome {
    const transaction = { stream, createdMs: Date.now(), events };
    write(transaction);
    const outcome = record(transaction);
    for (const listener of listeners) listener();
    return outcome;
  }

  const metadataOf = (stream: string) => metadataIn(streams.get(`$$${stream}`)?.at(-1));
  const isDeleted = (stream: string) => streams.get(stream.replace(/^\$\$/, ''))?.at(-1)?.type === tombstone;

  const visible = (stream: string, events: readonly Recorded[]): readonly Recorded[] => {
    const first = hiddenBefore(metadataOf(stream), events);
    return removed.size + first === 0 ? events : events.slice(first).filter((one) => !removed.has(one));
  };

  for (const transaction of earlier) record(transaction);
  return {
    all,
    append({ stream, expected, events }) {
      if (isDeleted(stream)) return { result: 'deleted' };
      const known = streams.get(stream) ?? [];
      const isHidden = known.length > 0 && visible(stream, known).length === 0;
      const verdict = checkVersion({ known, removed }, expected, events, isHidden);
      if (verdict !== 'new') return verdict;
      if (isHidden) store(`$$${stream}`, [metadataEvent({ ...metadataOf(stream), $tb: known.length })]);
      return store(stream, events);
    },
    delete(stream, expected, how) {
      if (isDeleted(stream)) return { result: 'deleted' };
      const known = streams.get(stream) ?? [];
      const verdict = checkVersion({ known, removed }, expected, [], false);
      if (verdict !== 'new') return verdict;
      if (how === 'tombstone') return store(stream, [systemEvent(tombstone, {})]);
      return store(`$$${stream}`, [metadataEvent({ ...metadataOf(stream), $tb: Number.MAX_SAFE_INTEGER })]);
    },
    read(stream, upTo) {
      if (isDeleted(stream)) return 'deleted';
      const shown = visible(stream, seenUpTo(streams.get(stream) ?? [], upTo));
      return shown.length > 0 ? shown : null;
    },
    isPlace: (at) => at >= position || [...streams.values()].flat().some((one) => one.position === at),
    scavenge() {
      for (const [stream, known] of streams) {
        const hidden = isDeleted(stream) ? known.length : hiddenBefore(metadataOf(stream), known);
        known.slice(0, Math.min(hidden, known.length - 1)).forEach(removed.add, removed);
      }
      all.splice(0, all.length, ...all.filter((one) => !removed.has(one)));
    },
    listen: (onAppended) => {
      listeners.add(onAppended);
      return () => listeners.delete(onAppended);
    },
    persistTo: (to) => {
      write = to;
    },
  };
}

/**
 * The server's rule: ids are compared and contents never. An append behind an older revision is the same append again when
 * the events that follow have its ids; its answer is the revision of the last of those, no matter what came after.
 */
function checkVersion(
  { known, removed }: { readonly known: readonly Recorded[]; readonly removed: ReadonlySet<Recorded> },
  expected: Expected,
  events: readonly Proposed[],
  isHidden: boolean,
): Outcome | 'new' {
  const current = known.length - 1;
  const wrong: Outcome = { result: 'wrong-version', current: known.length === 0 ? null : current };
  if (expected === 'any' || expected === 'stream-exists') {
    if (expected === 'stream-exists' && known.length === 0) return wrong;
    const at = known.findLastIndex(({ id }, place) => place > known.length - recentIds && id === events[0]?.id);
    return at === -1 ? 'new' : (sameAppend(known, at, events) ?? wrong);
  }
  const after = expected === 'no-stream' ? -1 : expected;
  if (after === current || (isHidden && after === -1)) return 'new';
  if (after > current) return wrong;
  const there = known[after + 1];
  // The server has forgotten the ids of events that a scavenge has removed.
  return (there && removed.has(there) ? undefined : sameAppend(known, after + 1, events)) ?? wrong;
}

function sameAppend(known: readonly Recorded[], from: number, events: readonly Proposed[]): Outcome | undefined {
  const last = known[from + events.length - 1];
  if (!last || events.some(({ id }, index) => known[from + index]?.id !== id)) return undefined;
  return { result: 'stored', revision: last.revision, position: last.position };
}

const firstPosition = 64;

/** Where the record after that of this event begins. */
export const positionAfter = (event: Recorded): number => event.position + 64 + sizeOf(event);

/** The size that the server's limit of an append counts. */
export const sizeOf = ({ type, data, customMetadata }: Proposed): number =>
  data.length + customMetadata.length + 2 * type.length;

/** The events that a node has which lags behind. */
function seenUpTo(known: readonly Recorded[], upTo: number): readonly Recorded[] {
  const last = known.at(-1);
  return last && last.position > upTo ? known.filter((one) => one.position <= upTo) : known;
}

function metadataIn(event: Recorded | undefined): StreamMetadata {
  return event ? JSON.parse(Buffer.from(event.data).toString()) : {};
}

const metadataEvent = (metadata: StreamMetadata) => systemEvent('$metadata', metadata);

function systemEvent(type: string, data: object): Proposed {
  return {
    id: crypto.randomUUID(),
    type,
    contentType: 'application/json',
    data: Buffer.from(JSON.stringify(data)),
    customMetadata: new Uint8Array(),
  };
}
