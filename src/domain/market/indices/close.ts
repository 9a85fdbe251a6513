import { createHash } from 'node:crypto';
import type { CloseBody } from '../../../../contracts/entries/registry.js';
import type { CloseFile } from '../../../../contracts/feeds/closes.js';
import { indexIds } from '../../../../contracts/index-ids.js';
import { canonical } from '../../../verifier/canonical.js';
import { advance, type Chain } from './chain.js';
import type { DayFacts } from './day-facts.js';
import { dayText } from './days.js';
import { closeFileOf } from './file.js';
import { numberOf } from './level.js';

export interface DerivedClose {
  readonly body: CloseBody;
  /** The public file, and its bytes. */
  readonly file: CloseFile;
  readonly bytes: Uint8Array;
  /** The indices after this close. */
  readonly chain: Chain;
}

/**
 * The close of the day that follows those of the chain.
 * @param sectors the sector of each capability of the last seven days at this close
 */
export function closeOf(before: Chain, facts: DayFacts, sectors: ReadonlyMap<string, string>): DerivedClose {
  const chain = advance(before, facts, sectors);
  const file = closeFileOf(facts, sectors, chain);
  const bytes = Buffer.from(canonical(file));
  const levels = indexIds.map((id) => {
    const level = chain.indices.get(id)?.level ?? null;
    return [id, level === null ? null : numberOf(level)] as const;
  });
  return {
    body: {
      day: dayText(facts.day),
      levels: Object.fromEntries(levels),
      receipts: facts.receipts,
      root: facts.root,
      facts_hash: createHash('sha256').update(bytes).digest('hex'),
    },
    file,
    bytes,
    chain,
  };
}
