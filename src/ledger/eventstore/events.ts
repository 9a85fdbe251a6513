import { createHash } from 'node:crypto';
import { isWrittenUuid } from '../../base/world.js';
import { entryHash, type Linked, readEntry } from '../chain.js';
import type { Commit } from '../ledger.js';
import { EntryTooLarge } from '../ledger.js';
import type { NewEvent, StreamEvent } from './streams.js';

/** Servers before version 25.1 take 1 MiB in one append. They count data and metadata in bytes, and two bytes for each character of a type. */
const maxAppendBytes = 1024 * 1024;

const namespace = Buffer.from('6f0d7f6c3a545c6e9a515f0d4d1f7c11', 'hex');
const genesisType = 'genesis';

export const streamOf = (prefix: string, chain: string): string => `${prefix}-${chain}`;

/** The chain of a stream; null for a stream that holds none of this prefix. */
export function chainOf(prefix: string, stream: string): string | null {
  const chain = stream.slice(prefix.length + 1);
  return stream.startsWith(`${prefix}-`) && isWrittenUuid(chain) ? chain : null;
}

/** The chain whose stream has its settings in this stream; null for any other stream. */
export const chainOfSettings = (prefix: string, stream: string): string | null =>
  stream.startsWith('$$') ? chainOf(prefix, stream.slice(2)) : null;

/**
 * UUIDv5 of an entry's hash. The server compares ids only, so an id must stand for all bytes of the entry: two processes that
 * decide the same command differently must not use the same one.
 */
export function eventId(hash: string): string {
  const digest = createHash('sha1').update(namespace).update(hash, 'utf8').digest().subarray(0, 16);
  digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x50, 6);
  digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8);
  return digest.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

export function genesisEvent(genesis: Uint8Array, tagKey: Uint8Array): NewEvent {
  return {
    id: eventId(entryHash(genesis)),
    type: genesisType,
    data: genesis,
    metadata: { tag_key: Buffer.from(tagKey).toString('hex') },
  };
}

/** The events of an append. @throws EntryTooLarge, because the commits of an append are stored together or not at all */
export function eventsOf(commits: readonly Commit[]): NewEvent[] {
  const events = commits.flatMap(({ entries }) => entries.map(entryEvent));
  const bytes = events.reduce((sum, event) => sum + sizeOf(event), 0);
  if (bytes <= maxAppendBytes) return events;
  throw new EntryTooLarge(
    `${events.length} entries of ${bytes} bytes are larger than one append, ${maxAppendBytes} bytes`,
  );
}

function entryEvent({ entry, bytes, hash }: Linked): NewEvent {
  return { id: eventId(hash), type: entry.kind, data: bytes, metadata: {} };
}

const sizeOf = ({ type, data, metadata }: NewEvent): number =>
  data.length + 2 * type.length + JSON.stringify(metadata).length;

/** @throws when the event holds no entry */
export function entryOf({ data }: StreamEvent): Linked {
  return { entry: readEntry(Buffer.from(data).toString('utf8')), bytes: data, hash: entryHash(data) };
}

/** The genesis of a chain and its tag key. @throws when the event is no genesis */
export function genesisOf({ type, data, metadata }: StreamEvent): { genesis: Uint8Array; tagKey: Uint8Array } {
  const tagKey = memberOf(metadata, 'tag_key');
  if (type !== genesisType || tagKey === undefined)
    throw new Error('a stream does not begin with the genesis of a chain');
  return { genesis: data, tagKey: Buffer.from(tagKey, 'hex') };
}

function memberOf(metadata: unknown, name: string): string | undefined {
  if (typeof metadata !== 'object' || metadata === null || !(name in metadata)) return undefined;
  const value: unknown = Reflect.get(metadata, name);
  return typeof value === 'string' ? value : undefined;
}
