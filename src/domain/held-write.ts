import type { Commitment } from '../../contracts/entries/entry.js';
import { limits } from '../../contracts/limits.js';
import { excerptOf } from '../base/excerpt.js';
import { isObject } from '../base/json-text.js';

/** The part of a held write by which people decide about it. It is redacted, like the memory itself would be. */
export interface HeldText {
  /** The first 280 code points. */
  readonly excerpt: string;
  /** The bytes of the whole text, in UTF-8. */
  readonly bytes: number;
  readonly source: string | null;
  /** The keys of the metadata in order of their code points. */
  readonly metadata_keys: readonly string[];
}

/**
 * The same in commitments, under the salt of the request. The text is destroyed with the decision, and these let the service name
 * the parts in which a later write differs, until the approval is used.
 */
export interface HeldParts {
  readonly bytes: number;
  readonly excerpt: Commitment;
  readonly source: Commitment | null;
  readonly metadataKeys: Commitment;
}

export type HeldPart = 'bytes' | 'beginning' | 'source' | 'metadata_keys';

interface Text {
  readonly content: string;
  /** JSON text of an object. */
  readonly metadata: string;
  readonly source: string | null;
}

export function heldTextOf({ content, metadata, source }: Text): HeldText {
  const members: unknown = JSON.parse(metadata);
  return {
    excerpt: excerptOf(content, limits.excerptCharacters),
    bytes: Buffer.byteLength(content),
    source,
    metadata_keys: isObject(members) ? Object.keys(members).toSorted() : [],
  };
}

/** @param commit binds a text under the salt of the request */
export function heldPartsOf(held: HeldText, commit: (text: string) => Commitment): HeldParts {
  return {
    bytes: held.bytes,
    excerpt: commit(held.excerpt),
    source: held.source === null ? null : commit(held.source),
    metadataKeys: commit(JSON.stringify(held.metadata_keys)),
  };
}

/** The parts in which a write differs from the one that was held; none where they differ behind the beginning or in values only. */
export function differencesOf(held: HeldParts, now: HeldParts): HeldPart[] {
  return [
    ...(held.bytes === now.bytes ? [] : (['bytes'] as const)),
    ...(held.excerpt === now.excerpt ? [] : (['beginning'] as const)),
    ...(held.source === now.source ? [] : (['source'] as const)),
    ...(held.metadataKeys === now.metadataKeys ? [] : (['metadata_keys'] as const)),
  ];
}
