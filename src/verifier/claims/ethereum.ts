import type { Anchored } from '../anchored.js';
import type { Bundle } from '../bundle.js';
import { toHex } from '../bytes.js';
import type { TrustedBlocks } from '../ethereum/trusted-blocks.js';
import { type BlockClaim, verifyPart } from '../ethereum/verify.js';
import type { Claim } from '../report.js';
import { shownTime } from '../rows.js';

type Held = Exclude<BlockClaim, { state: 'failed' }>;

/**
 * Whether a block of Ethereum that the reader trusts holds the anchor of the checkpoint, or of a later one that contains
 * it. Also names anchors of unknown types, which this version cannot check.
 */
export function ethereumClaim({ anchors }: Bundle, anchored: readonly Anchored[], trusted: TrustedBlocks): Claim {
  const claim = { name: 'ethereum' } as const;
  const types = anchors.flatMap((anchor) => (anchor.type === 'other' ? [anchor.name] : []));
  const results = anchored.flatMap((one) => {
    const { anchor } = one;
    return anchor.type === 'ethereum' ? [check(anchor.part, one, trusted)] : [];
  });
  if (results.length === 0) return { ...claim, ...unknownTypes(types) };
  for (const result of results) {
    if (result.state !== 'failed') continue;
    return { ...claim, state: 'failed', text: `The anchor on Ethereum does not hold: ${result.reason}.`, details: {} };
  }
  const held = results.filter((result) => result.state !== 'failed');
  const verified = held.filter(({ state }) => state === 'verified').sort((a, b) => a.block.time - b.block.time);
  const [shown] = [...verified, ...held];
  if (!shown) return { ...claim, ...unknownTypes(types) };
  const found = inBlock(shown, held.length);
  if (types.length === 0) return { ...claim, ...found };
  const unknown = unknownTypes(types);
  return {
    ...claim,
    ...found,
    text: `${found.text} ${unknown.text}`,
    details: { ...unknown.details, ...found.details },
  };
}

function check(part: Held['part'], { checkpoint, fault }: Anchored, trusted: TrustedBlocks): BlockClaim {
  if (fault !== null || checkpoint === null) {
    return { state: 'failed', reason: 'it is of a checkpoint that is not shown to contain this one' };
  }
  return verifyPart(part, checkpoint, trusted);
}

function inBlock({ state, reason, block, part }: Held, count: number): Omit<Claim, 'name'> {
  const contract = `0x${toHex(part.contract)}`;
  const hash = `0x${toHex(block.hash)}`;
  const when = shownTime(block.time);
  const details = {
    block_hash: hash,
    block_number: block.number,
    block_time: when,
    chain_id: part.chainId,
    contract,
    tx_index: part.transaction,
    log_index: part.log,
    anchors: count,
  };
  const place = `block ${block.number} of chain ${part.chainId} at ${when}`;
  if (state === 'verified') {
    return { state, text: `The contract ${contract} has anchored the checkpoint in ${place}. ${reason}.`, details };
  }
  const text =
    `The contract ${contract} has anchored the checkpoint if ${place} is the block ${hash}. ` +
    `${reason}: compare this hash with the chain.`;
  return { state, text, details };
}

function unknownTypes(types: readonly string[]): Omit<Claim, 'name'> {
  if (types.length === 0) return { state: 'absent', text: 'The bundle has no other anchor.', details: {} };
  const named = [...new Set(types)].join(', ');
  const text = `The bundle has an anchor that this version cannot check: ${named}.`;
  return { state: 'not checked', text, details: { types: named, anchors: types.length } };
}
