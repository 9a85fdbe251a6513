import type { Transaction } from '../../src/adapters/database/database.js';
import { postingWidth } from './blocks.js';
import type { SearchCache } from './cache.js';
import type { Postings, Term } from './cached-values.js';
import { versionOf } from './versions.js';

interface Wanted {
  readonly term: string;
  readonly block: number;
}

const keyOf = ({ term, block }: Wanted): string => `${term} ${block}`;

/** Reads the blocks of these words. A block comes from memory if its row still has the version that was read before. */
export async function readPostings(
  tx: Transaction,
  cache: SearchCache,
  terms: readonly Pick<Term, 'term' | 'blocks' | 'versions'>[],
): Promise<(term: Pick<Term, 'term'>, block: number) => Postings | undefined> {
  const found = new Map<string, Postings>();
  const stale: Wanted[] = [];
  for (const { term, blocks, versions } of terms) {
    for (const [i, block] of blocks.entries()) {
      const key = keyOf({ term, block });
      const cached = cache.postings.get(key);
      if (cached && cached.version === versions[i]) found.set(key, cached.postings);
      else stale.push({ term, block });
    }
  }
  if (stale.length > 0) {
    const rows = await tx.query<{ term: string; block: number; version: string; entries: string }>(
      `select p.term::text, p.block, encode(p.entries, 'base64') as entries, ${versionOf('p')} as version
         from unnest($1::bigint[], $2::bigint[]) r(term, block) join search_postings p using (term, block)`,
      [stale.map((one) => one.term), stale.map((one) => one.block)],
    );
    for (const row of rows) {
      const postings = unpack(Buffer.from(row.entries, 'base64'));
      cache.postings.set(keyOf(row), { version: row.version, postings }, postings.offsets.length * postingWidth + 200);
      found.set(keyOf(row), postings);
    }
  }
  return ({ term }, block) => found.get(keyOf({ term, block }));
}

function unpack(entries: Buffer): Postings {
  const count = entries.length / postingWidth;
  const [offsets, frequencies, lengths] = [new Uint16Array(count), new Uint16Array(count), new Uint32Array(count)];
  for (let i = 0, at = 0; i < count; i++, at += postingWidth) {
    offsets[i] = entries.readUInt16BE(at);
    frequencies[i] = entries.readUInt16BE(at + 2);
    lengths[i] = entries.readUInt32BE(at + 4);
  }
  return { offsets, frequencies, lengths };
}
