import type { Transaction } from '../../src/database/database.js';
import { isBehind, servingIndex } from './copies/behind.js';
import type { EngineCopy } from './engine-index.js';

/** The copy in Elasticsearch, as the database knows it. */
export async function storedCopy(tx: Transaction, namespaceIds: readonly string[]): Promise<EngineCopy> {
  const index = await servingIndex(tx);
  if (!index) return { index: null, model: '', isBehind: true };
  return { index: index.name, model: index.model, isBehind: await isBehind(tx, namespaceIds) };
}
