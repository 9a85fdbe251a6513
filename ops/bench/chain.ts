import { createHash } from 'node:crypto';
import type { Unlinked } from '../../contracts/entries/entry.js';
import { realWorld, receiptId } from '../../src/base/world.js';
import { follow, genesisBytes, genesisHead, link } from '../../src/ledger/chain.js';
import { machineLine, table } from './machine.js';

const count = 100_000;

/**
 * Entries verified per second on one core: hash, parse, canonical form and links of each. The baseline is SHA-256 of the
 * same bytes, which is what no verification can do without.
 */
export async function benchChain(): Promise<void> {
  const workspace = realWorld.id();
  const genesis = genesisHead(genesisBytes(workspace, realWorld.now().toISOString()));
  const chain = link(workspace, genesis, Array.from({ length: count }, write));
  const bytes = chain.reduce((sum, entry) => sum + entry.bytes.length, 0);
  const hashed = perSecond(() => {
    for (const entry of chain) createHash('sha256').update(entry.bytes).digest('hex');
  });
  const verified = perSecond(() => {
    let head = genesis;
    for (const { entry, ...stored } of chain) {
      const next = follow(workspace, head, { seq: entry.seq, ...stored });
      if (typeof next === 'string') throw new Error(next);
      head = next;
    }
  });
  console.log(
    table([
      [machineLine()],
      [],
      ['work', 'entries', 'bytes each', 'per second', 'ratio'],
      ['SHA-256 alone (baseline)', count, Math.round(bytes / count), hashed.toFixed(0), '1.00'],
      [
        'verification of the chain',
        count,
        Math.round(bytes / count),
        verified.toFixed(0),
        (verified / hashed).toFixed(2),
      ],
    ]),
  );
}

/** The best of nine: the first runs code that is not compiled yet, and on a shared machine others alternate. */
function perSecond(work: () => void): number {
  const seconds = Array.from({ length: 9 }, () => {
    const from = performance.now();
    work();
    return (performance.now() - from) / 1000;
  });
  return count / Math.min(...seconds);
}

function write(): Unlinked {
  const provenance = { user_id: null, agent_id: 'agent', app_id: 'bench', run_id: 'run-1' };
  return {
    kind: 'memory.write',
    receipt_id: receiptId(realWorld),
    recorded_at: realWorld.now().toISOString(),
    actor: { type: 'key', id: realWorld.id(), ...provenance },
    body: {
      memory_id: realWorld.id(),
      job_id: realWorld.id(),
      namespace_id: realWorld.id(),
      content_commitment: Buffer.from(realWorld.random(32)).toString('hex'),
      metadata_commitment: Buffer.from(realWorld.random(32)).toString('hex'),
      source_commitment: null,
      content_bytes: 120,
      playground: false,
    },
  };
}
