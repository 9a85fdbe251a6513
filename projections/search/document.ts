import type { Facts } from '../../src/domain/rank/facts.js';
import type { IndexedPart } from '../../src/domain/tokens/indexed.js';
import type { VectorDocument } from './vector-index.js';

/** The data of a memory that is indexed. */
export interface SearchDocument extends VectorDocument {
  readonly namespaceId: string;
  /** A PostgreSQL text search configuration, such as `simple` or `english`. */
  readonly textConfig: string;
  /** The tokens of the parts of its text. */
  readonly parts: readonly IndexedPart[];
  readonly facts: Facts;
}

/**
 * A document with more distinct tokens is added in several transactions. The embedded database runs one transaction at a time, so
 * other requests wait for each of them.
 */
const largeTokens = 2000;

export const isLarge = ({ parts }: Pick<SearchDocument, 'parts'>): boolean =>
  parts.reduce((sum, { texts }) => sum + texts.length, 0) > largeTokens;
