import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalBytes } from '../../src/ledger/chain.js';
import type { Outcome } from './vector.js';

/** RFC 8785: the canonical bytes of each input, given in hex and as they are. */
export function* jcs(folder: string): Generator<Outcome> {
  for (const name of readdirSync(join(folder, 'input')).sort()) {
    const bytes = canonicalBytes(JSON.parse(readFileSync(join(folder, 'input', name), 'utf8')));
    const hex = readFileSync(join(folder, 'outhex', name.replace(/\.json$/, '.txt')), 'utf8').replace(/\s+/g, '');
    yield { name: `${name} as hex`, right: Buffer.from(bytes).toString('hex') === hex };
    yield { name, right: Buffer.compare(bytes, readFileSync(join(folder, 'output', name))) === 0 };
  }
}
