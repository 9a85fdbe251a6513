import { fromHex } from './bytes.js';
import { type EthereumPart, ethereumMembers, readEthereumPart } from './ethereum/part.js';
import { type Json, readJson } from './json.js';
import { anyObject, bytes, count, exactBytes, list, object, optionalText, proof, shortText, text } from './shape.js';
import { attempt, Unreadable } from './unreadable.js';

/** Limits that keep the time to check any bundle short; the tests measure it. */
export const bundleLimits = {
  bytes: 2.5 * 1024 * 1024,
  depth: 16,
  values: 16_384,
  /**
   * Hashing the entry and the content takes the most time: 20 ms for a mebibyte, and 60 ms before the code is compiled.
   */
  entryBytes: 512 * 1024,
  /** As UTF-8. A memory may not have more. */
  contentBytes: 1024 * 1024,
  /** As UTF-8, for metadata, for a source and for a query. */
  textBytes: 65_536,
  /** As UTF-8, for the sentence that says why there is no place. */
  reasonBytes: 1024,
  /**
   * As UTF-8, for a checkpoint; a usual one has 300. Checking a signature hashes the whole text, and a bundle may have
   * 5 checkpoints with 8 signatures each.
   */
  checkpointBytes: 16_384,
  /** A leaf stores its length in two bytes (C2SP tlog-tiles). */
  leafBytes: 65_535,
  keys: 16,
  anchors: 16,
  /** Among the anchors. Only these two types take time to check. */
  timestamps: 4,
  inBlocks: 2,
  timestampBytes: 65_536,
  headers: 16,
};

/** The claims of a bundle (`counterfoil-proof/1`), decoded and not checked. */
export interface Bundle {
  /** The canonical bytes of the entry. */
  readonly entry: Uint8Array;
  readonly disclosed: Disclosed | null;
  /** The claimed position of the entry; null for an entry that no checkpoint covers yet. */
  readonly place: Place | null;
  /** Why there is no place, as claimed by the service that made the bundle. */
  readonly unplaced: string | null;
  /** Signing keys of the log, in the order of their leaves. */
  readonly keys: readonly LogLeaf[];
  readonly anchors: readonly Anchor[];
}

/** The texts that the entry commits to. A text that is not disclosed is null. */
export interface Disclosed {
  readonly salt: Uint8Array;
  readonly content: string | null;
  /** JSON text, as it was sent. */
  readonly metadata: string | null;
  readonly source: string | null;
  /** Of a search. Bundles of earlier versions of the service have none. */
  readonly query: string | null;
}

export interface Place {
  /** The proof from the entry to the root of its workspace's tree. */
  readonly inclusion: readonly Uint8Array[];
  readonly head: LogLeaf;
  /** The key with which the tag in the head was computed. */
  readonly tagKey: Uint8Array;
  /** A signed note, exactly as the log published it. */
  readonly checkpoint: string;
}

/** A leaf of the transparency log, and its inclusion proof for the root of the checkpoint. */
export interface LogLeaf {
  readonly leaf: Uint8Array;
  readonly index: number;
  readonly inclusion: readonly Uint8Array[];
}

type Anchor = Timestamped | InBlock | OtherAnchor;

export interface Timestamped {
  readonly type: 'opentimestamps';
  /** An `.ots` file. */
  readonly ots: Uint8Array;
  /** Block headers by height, 80 bytes each. */
  readonly headers: ReadonlyMap<number, Uint8Array>;
  readonly later: LaterCheckpoint | null;
}

export interface InBlock {
  readonly type: 'ethereum';
  readonly part: EthereumPart;
  readonly later: LaterCheckpoint | null;
}

/** The anchored checkpoint, a signed note, when it is later than the bundle's checkpoint. */
interface LaterCheckpoint {
  readonly checkpoint: string;
  readonly consistency: readonly Uint8Array[];
}

/** An anchor of a type that this version does not know. */
interface OtherAnchor {
  readonly type: 'other';
  readonly name: string;
}

/** @throws Unreadable for bytes that are not a bundle of this version, and for more than the limits allow */
export function readBundle(json: Uint8Array): Bundle {
  if (json.length > bundleLimits.bytes) throw new Unreadable(`a bundle of more than ${bundleLimits.bytes} bytes`);
  const value = jsonOf(withoutMark(json));
  const { format } = anyObject(value, 'the bundle');
  if (format === undefined)
    throw new Unreadable('it has no member "format", with which every proof bundle says what it is');
  if (format !== 'counterfoil-proof/1') {
    throw new Unreadable('its member "format" is not "counterfoil-proof/1". A newer version may have made it');
  }
  const optional = ['disclosed', 'unplaced', 'inclusion', 'head', 'checkpoint'];
  const members = object(value, 'the bundle', ['format', 'entry', 'keys', 'anchors'], optional);
  const place = readPlace(members.inclusion, members.head, members.checkpoint);
  const keys = list(members.keys, 'the list of keys', bundleLimits.keys, readKey);
  const anchors = list(members.anchors, 'the list of anchors', bundleLimits.anchors, readAnchor);
  if (!place && keys.length + anchors.length > 0) throw new Unreadable('keys or anchors without a checkpoint');
  const unplaced = members.unplaced === undefined ? null : readReason(members.unplaced);
  if (place && unplaced !== null) throw new Unreadable('a place and a reason for none');
  requireAtMost(bundleLimits.timestamps, 'opentimestamps', anchors);
  requireAtMost(bundleLimits.inBlocks, 'ethereum', anchors);
  const entry = bytes(members.entry, 'the entry', bundleLimits.entryBytes);
  return { entry, disclosed: readDisclosed(members.disclosed), place, unplaced, keys, anchors };
}

/** Editors put a byte order mark before a text that they save (RFC 8259, 8.1). Nothing that is hashed is in front of it. */
function withoutMark(json: Uint8Array): Uint8Array {
  const isMarked = json[0] === 0xef && json[1] === 0xbb && json[2] === 0xbf;
  return isMarked ? json.subarray(3) : json;
}

function jsonOf(bytes: Uint8Array): Json {
  const value = attempt(() => ({ json: readJson(bytes, bundleLimits) }));
  if (typeof value === 'string') {
    // Who has chosen a letter or a picture is not helped by the byte at which JSON ends.
    throw new Unreadable(beginsObject(bytes) ? `its JSON cannot be read (${value})` : 'it does not begin with {');
  }
  return value.json;
}

/** Whether the first byte after white space is that of a JSON object. */
const beginsObject = (bytes: Uint8Array): boolean =>
  bytes.find((byte) => ![0x09, 0x0a, 0x0d, 0x20].includes(byte)) === 0x7b;

function requireAtMost(most: number, wanted: Anchor['type'], anchors: readonly Anchor[]): void {
  if (anchors.filter(({ type }) => type === wanted).length <= most) return;
  throw new Unreadable(`more than ${most} anchors of type ${wanted}`);
}

function readReason(value: Json): string {
  return shortText(value, 'the reason for no place', bundleLimits.reasonBytes);
}

function readDisclosed(value: Json | undefined): Disclosed | null {
  if (value === undefined) return null;
  const members = object(value, 'what is disclosed', ['salt', 'content', 'metadata', 'source'], ['query']);
  return {
    salt: exactBytes(members.salt, 'the salt', 32),
    content: optionalText(members.content, 'the content', bundleLimits.contentBytes),
    metadata: optionalText(members.metadata, 'the metadata', bundleLimits.textBytes),
    source: optionalText(members.source, 'the source', bundleLimits.textBytes),
    query: optionalText(members.query ?? null, 'the query', bundleLimits.textBytes),
  };
}

function readPlace(inclusion: Json | undefined, head: Json | undefined, checkpoint: Json | undefined): Place | null {
  const missing = [inclusion, head, checkpoint].filter((value) => value === undefined).length;
  if (missing === 3) return null;
  if (missing > 0) throw new Unreadable('inclusion, head and checkpoint are there only in part');
  const members = object(head, 'the head', ['leaf', 'tag_key', 'index', 'inclusion']);
  return {
    inclusion: proof(inclusion, 'the inclusion proof'),
    head: readLeaf(members.leaf, members.index, members.inclusion, 'the head'),
    tagKey: exactBytes(members.tag_key, 'the tag key', 32),
    checkpoint: readCheckpoint(checkpoint, 'the checkpoint'),
  };
}

function readCheckpoint(value: Json | undefined, what: string): string {
  return shortText(value, what, bundleLimits.checkpointBytes);
}

function readKey(value: Json, what: string): LogLeaf {
  const { leaf, index, inclusion } = object(value, what, ['leaf', 'index', 'inclusion']);
  return readLeaf(leaf, index, inclusion, what);
}

function readLeaf(leaf: Json | undefined, index: Json | undefined, inclusion: Json | undefined, of: string): LogLeaf {
  return {
    leaf: bytes(leaf, `the leaf of ${of}`, bundleLimits.leafBytes),
    index: count(index, `the index of ${of}`),
    inclusion: proof(inclusion, `the inclusion proof of ${of}`),
  };
}

function readAnchor(value: Json, what: string): Anchor {
  const type = text(anyObject(value, what).type, `the type of ${what}`);
  if (!/^[a-z0-9-]{1,64}$/.test(type)) throw new Unreadable(`the type of ${what} is not a word`);
  if (type === 'opentimestamps') return readTimestamped(value, what);
  if (type === 'ethereum') return readInBlock(value, what);
  return { type: 'other', name: type };
}

function readInBlock(value: Json, what: string): InBlock {
  const members = object(value, what, ['type', ...ethereumMembers], ['checkpoint', 'consistency']);
  return {
    type: 'ethereum',
    part: readEthereumPart(members, what),
    later: readLater(members.checkpoint, members.consistency, what),
  };
}

function readTimestamped(value: Json, what: string): Timestamped {
  const members = object(value, what, ['type', 'ots'], ['headers', 'checkpoint', 'consistency']);
  return {
    type: 'opentimestamps',
    ots: bytes(members.ots, `the timestamp of ${what}`, bundleLimits.timestampBytes),
    headers: members.headers === undefined ? new Map() : readHeaders(members.headers, `the headers of ${what}`),
    later: readLater(members.checkpoint, members.consistency, what),
  };
}

function readLater(checkpoint: Json | undefined, consistency: Json | undefined, of: string): LaterCheckpoint | null {
  if (checkpoint === undefined && consistency === undefined) return null;
  return {
    checkpoint: readCheckpoint(checkpoint, `the checkpoint of ${of}`),
    consistency: proof(consistency, `the consistency proof of ${of}`),
  };
}

function readHeaders(value: Json, what: string): Map<number, Uint8Array> {
  const members = Object.entries(anyObject(value, what));
  if (members.length > bundleLimits.headers) throw new Unreadable(`${what} are more than ${bundleLimits.headers}`);
  return new Map(members.map(([height, header]) => [readHeight(height, what), readHeader(header, what)]));
}

function readHeight(height: string, what: string): number {
  if (!/^(0|[1-9][0-9]{0,9})$/.test(height)) throw new Unreadable(`${what} have one of no height`);
  return Number(height);
}

function readHeader(header: Json, what: string): Uint8Array {
  const hex = text(header, what);
  if (hex.length !== 160) throw new Unreadable(`${what} have one that does not have 80 bytes`);
  return fromHex(hex);
}
