import { describe, expect, it } from 'vitest';
import { readBundle } from '../../../src/verifier/bundle.js';
import { ethereumLimits } from '../../../src/verifier/ethereum/part.js';
import { verifyPart } from '../../../src/verifier/ethereum/verify.js';
import { hex } from '../../ethereum/blocks.js';
import { type EthereumJson, onEthereum } from '../../ethereum/bundles.js';
import { createLog, encode } from '../../verifier/bundles.js';
import { cpuTime } from '../../verifier/cpu.js';
import { seededRandom } from '../../verifier/mutations.js';

const log = await createLog('log.example/1', 'hostile');
const own = await onEthereum(await log.bundle({ anchor: 'this' }), seededRandom(6));
const checkpoint = { digest: new Uint8Array(32), origin: log.origin, size: 6 };

function partOf(change: Partial<Record<keyof EthereumJson, unknown>>) {
  const [value] = readBundle(encode({ ...own.bundle, anchors: [{ ...own.anchor, ...change }] })).anchors;
  if (value?.type !== 'ethereum') throw new Error('there is no such anchor');
  return verifyPart(value.part, checkpoint, {});
}

describe('hostile parts', () => {
  const long = hex(new Uint8Array(ethereumLimits.nodeBytes).fill(0x7f));
  // Lists in lists, each with its length in four bytes.
  const deep = hex(new Uint8Array(ethereumLimits.nodeBytes).fill(0xc1));
  const huge = '0xfbffffffff';
  // @covers ETHPROOF-LIMITS
  it.each<[string, Partial<Record<keyof EthereumJson, unknown>>]>([
    ['24 nodes of 32 KiB', { proof: Array(24).fill(long) }],
    ['a header of 32 KiB', { header: long, proof: Array(24).fill(long), receipt: long }],
    ['lists in lists', { header: deep, proof: Array(24).fill(deep), receipt: deep }],
    ['huge lengths', { header: huge, proof: Array(24).fill(huge), receipt: huge }],
    ['a length of eight bytes', { header: '0xffffffffffffffffff', proof: ['0xbfffffffffffffffff'] }],
    ['as many nodes as allowed before a wrong one', { proof: [...own.anchor.proof, ...Array(20).fill(long)] }],
  ])('%s take little time', (name, change) => {
    partOf({});
    const [outcome, took] = cpuTime(() => partOf(change));
    console.log(`${name}: ${took.toFixed(1)} ms`);
    expect(outcome.state).toBe('failed');
    // Usually less than 50 ms: a busy machine takes longer.
    expect(took).toBeLessThan(500);
  });
});
