import { createMerkleProof } from '@ethereumjs/mpt';
import { RLP } from '@ethereumjs/rlp';
import { sha256 } from '@noble/hashes/sha2.js';
import { describe, expect, it } from 'vitest';
import { readBundle } from '../../src/verifier/bundle.js';
import { toUtf8 } from '../../src/verifier/bytes.js';
import { readLog } from '../../src/verifier/checkpoint.js';
import { readAddress } from '../../src/verifier/ethereum/part.js';
import { readBlockList, type TrustedBlocks } from '../../src/verifier/ethereum/trusted-blocks.js';
import { verifyPart } from '../../src/verifier/ethereum/verify.js';
import { Unreadable } from '../../src/verifier/unreadable.js';
import { verifyBundle } from '../../src/verifier/verify.js';
import { createLog, encode } from '../verifier/bundles.js';
import { seededRandom } from '../verifier/mutations.js';
import {
  anchorLog,
  headerOf,
  hex,
  type Receipt,
  type RpcLog,
  randomBlock,
  randomReceipt,
  receiptOf,
  trieOf,
  unhex,
} from './blocks.js';
import { type AnchoredBundle, contract, type EthereumJson, onEthereum } from './bundles.js';

const random = seededRandom(5);
const log = await createLog('log.example/1', 'ethereum');
const other = await createLog('other.example/1', 'ethereum');
const own = await onEthereum(await log.bundle({ anchor: 'this' }), random);
const later = await onEthereum(await log.bundle({ anchor: 'later' }), random);
const { note, origin, size } = readLog(own.bundle.checkpoint ?? '');
const digest = sha256(toUtf8(note.text));
const checkpoint = { digest, origin, size };
const event = anchorLog(contract, origin, digest, size);
const trust = { keys: [log.keys[0], log.witness] };

function reportOf(bundle: unknown, ethereum?: TrustedBlocks) {
  return verifyBundle(encode(bundle), { ...trust, ...(ethereum ? { ethereum } : {}) }).claims;
}

function claimOf(bundle: unknown, ethereum?: TrustedBlocks) {
  return reportOf(bundle, ethereum).find(({ name }) => name === 'ethereum');
}

const trusting = ({ hash }: AnchoredBundle): TrustedBlocks => ({ hashes: new Set([hash]) });
const changed = (change: Partial<Record<keyof EthereumJson | 'more', unknown>>, of = own) => ({
  ...of.bundle,
  anchors: [{ ...of.anchor, ...change }],
});
/** The anchor alone, without the rest of the bundle, whose signatures take time. */
function partOf(change: Partial<Record<keyof EthereumJson | 'more', unknown>>, trusted = trusting(own)) {
  const [value] = readBundle(encode(changed(change))).anchors;
  if (value?.type !== 'ethereum') throw new Error('there is no such anchor');
  return verifyPart(value.part, checkpoint, trusted);
}

const why = (state: string, pattern: RegExp) => ({ state, reason: expect.stringMatching(pattern) });
const text = (state: string, pattern: RegExp) => ({ state, text: expect.stringMatching(pattern) });

describe('the claim ethereum', () => {
  // @covers ETHPROOF-VERIFIED
  it.each([own, later])('is verified when the reader trusts the block', (anchored) => {
    const claims = reportOf(anchored.bundle, trusting(anchored));
    expect(claims.find(({ name }) => name === 'ethereum')).toMatchObject({
      state: 'verified',
      details: { block_hash: `0x${anchored.hash}`, chain_id: 31_337, contract, tx_index: 5, log_index: 0 },
    });
    expect(claims.filter(({ state }) => state === 'failed')).toEqual([]);
    const isLater = anchored === later;
    expect(claims.find(({ name }) => name === 'consistency')?.state).toBe(isLater ? 'verified' : 'absent');
    expect(claims.find(({ name }) => name === 'opentimestamps')?.state).toBe('absent');
  });

  // @covers ETHPROOF-NOT-CHECKED ETHPROOF-CONTRACT
  it('is not checked without a trusted block, and shows its hash, number, time and contract', () => {
    const claim = claimOf(own.bundle);
    expect(claim).toMatchObject(text('not checked', /No trusted block was given/));
    for (const shown of [`0x${own.hash}`, contract, String(claim?.details.block_number), claim?.details.block_time]) {
      expect(claim?.text).toContain(shown);
    }
    expect(claimOf(own.bundle, trusting(later))).toMatchObject(text('not checked', /not among the blocks/));
  });

  // @covers ETHPROOF-CONTRACT
  it('fails for another contract than the expected one', () => {
    const expected = (address: string) => ({ ...trusting(own), contract: readAddress(address) });
    expect(partOf({}, expected(contract)).state).toBe('verified');
    expect(partOf({}, expected(contract.toUpperCase().replace('X', 'x'))).state).toBe('verified');
    expect(partOf({}, expected(`0x${'11'.repeat(20)}`))).toMatchObject(why('failed', /is expected/));
    expect(partOf({}, { contract: readAddress(`0x${'11'.repeat(20)}`) }).state).toBe('failed');
  });

  // @covers ETHPROOF-NODE
  it("compares the chain id and the block with the reader's node", () => {
    const number = Number(claimOf(own.bundle)?.details.block_number);
    const node = (chainId: number, hash: string | undefined, settledUntil = number) => ({
      node: { chainId, settledUntil, hashAt: (asked: number) => (asked === number ? hash : undefined) },
    });
    expect(partOf({}, node(31_337, own.hash))).toMatchObject(why('verified', /has this block on its chain$/));
    expect(partOf({}, node(31_337, own.hash, number - 1))).toMatchObject(why('verified', /not finalized yet$/));
    expect(partOf({}, node(31_337, later.hash, number - 1))).toMatchObject(
      why('not checked', /Your node has another block .*, which is not finalized yet/),
    );
    expect(partOf({}, node(1, own.hash))).toMatchObject(why('failed', /is on chain 1/));
    expect(partOf({}, node(31_337, later.hash))).toMatchObject(why('failed', /another block/));
    expect(partOf({}, node(1, later.hash))).toMatchObject(why('not checked', /is on chain 1/));
    expect(partOf({}, node(31_337, undefined))).toMatchObject(why('not checked', /no block/));
  });

  it('is absent without such an anchor, and names anchors of unknown types beside it', () => {
    expect(claimOf({ ...own.bundle, anchors: [] })?.state).toBe('absent');
    const both = { ...own.bundle, anchors: [own.anchor, { type: 'carrier-pigeon' }] };
    expect(claimOf(both, trusting(own))).toMatchObject(text('verified', /cannot check: carrier-pigeon/));
    const two = { ...own.bundle, anchors: [own.anchor, later.anchor] };
    expect(claimOf(two, trusting(later))).toMatchObject({
      state: 'verified',
      details: { block_hash: `0x${later.hash}`, anchors: 2 },
    });
  });

  // @covers ETHPROOF-FAILED
  it.each<[string, Partial<Record<keyof EthereumJson, unknown>>, RegExp]>([
    ['another transaction', { tx_index: 4 }, /not the one that the node before it names/],
    ['a transaction that is not there', { tx_index: 12 }, /no transaction with this index/],
    ['another log', { log_index: 1 }, /no log 1/],
    ['another contract', { contract: `0x${'11'.repeat(20)}` }, /of another contract/],
    ['another header', { header: later.anchor.header }, /not the one that the header names/],
    ['another receipt', { receipt: later.anchor.receipt }, /not the one that the block has/],
    ['no receipt', { receipt: '0x' }, /not the one that the block has/],
    ['no header', { header: '0x' }, /the header has no bytes/],
    ['no nodes', { proof: [] }, /missing/],
    ['a node less', { proof: own.anchor.proof.slice(0, -1) }, /missing/],
    ['the first node missing', { proof: own.anchor.proof.slice(1) }, /not the one that the header names/],
    ['a node more', { proof: [...own.anchor.proof, '0xc0'] }, /longer than a branch|follow/],
    ['nodes in another order', { proof: own.anchor.proof.toReversed() }, /longer than a branch|names/],
    ['a huge length', { header: '0xfbffffffff' }, /ends within one of its items/],
    ['a length of eight bytes', { header: '0xffffffffffffffffff' }, /ends within one of its items/],
    ['bytes after the header', { header: `${own.anchor.header}00` }, /followed by other bytes/],
  ])('fails with %s', (_, change, why) => {
    expect(partOf(change)).toEqual({ state: 'failed', reason: expect.stringMatching(why) });
  });

  // @covers ETHPROOF-FAILED
  it.each<[string, Partial<Receipt>, Partial<RpcLog>, RegExp]>([
    ['a transaction that has failed', { status: '0x0' }, {}, /the transaction has failed/],
    ['an event of another name', {}, { topics: event.topics.with(0, hex(digest)) }, /not the anchor of a checkpoint/],
    ['an event without a name', {}, { topics: [] }, /not the anchor of a checkpoint/],
    ['an event about another log', {}, { topics: event.topics.with(1, hex(digest)) }, /about another log/],
    ['an event about another text', {}, { topics: event.topics.with(2, `0x${own.hash}`) }, /another checkpoint/],
    ['an event with fewer topics', {}, { topics: event.topics.slice(0, 2) }, /the form of an anchor/],
    ['an event with more topics', {}, { topics: [...event.topics, hex(digest)] }, /the form of an anchor/],
    ['an event with another size', {}, { data: event.data.replace(/.$/, 'f') }, /another number of leaves/],
    ['an event with more data', {}, { data: `${event.data}00` }, /the form of an anchor/],
    ['an event of another contract', {}, { address: hex(new Uint8Array(20)) }, /of another contract/],
  ])('fails for a block with %s', async (_, receipt, log, reason) => {
    const made = { ...randomReceipt(random, 0, [{ ...event, ...log }]), ...receipt };
    const { block } = await randomBlock(random, [made]);
    const proof = (await createMerkleProof(await trieOf([made]), RLP.encode(0))).map(hex);
    const part = { header: hex(headerOf(block)), tx_index: 0, receipt: hex(receiptOf(made)), proof };
    const trusted = { hashes: new Set([block.hash?.slice(2) ?? '']) };
    expect(partOf(part, trusted)).toEqual({ state: 'failed', reason: expect.stringMatching(reason) });
  });

  // @covers ETHPROOF-FAILED
  it('fails for another checkpoint, another log, or a later checkpoint that is not shown', async () => {
    const elsewhere = await other.bundle({ anchor: 'this' });
    const foreign = { ...elsewhere, anchors: [own.anchor] };
    const keys = { keys: [other.keys[0]] };
    const claim = verifyBundle(encode(foreign), { ...keys, ethereum: trusting(own) }).claims.at(-1);
    expect(claim).toMatchObject(text('failed', /about another log/));
    expect(claimOf({ ...own.bundle, anchors: [changed({}, later).anchors[0]] }, trusting(own))?.state).toBe(
      'not checked',
    );
    const { checkpoint: _, consistency: __, ...withoutLater } = later.anchor;
    expect(claimOf({ ...own.bundle, anchors: [withoutLater] }, trusting(later))).toMatchObject(
      text('failed', /about another checkpoint/),
    );
    const wrong = changed({ consistency: [] }, later);
    expect(claimOf(wrong, trusting(later))).toMatchObject(text('failed', /not shown to contain/));
  });
});

describe('a part that cannot be read', () => {
  // @covers ETHPROOF-LIMITS
  it.each<[string, Partial<Record<keyof EthereumJson | 'more', unknown>>, RegExp]>([
    ['25 nodes', { proof: Array(25).fill('0x00') }, /more than 24/],
    ['a long node', { proof: [hex(new Uint8Array(32_769))] }, /more than 32768 bytes/],
    ['a long header', { header: hex(new Uint8Array(32_769)) }, /more than 32768 bytes/],
    ['a long receipt', { receipt: hex(new Uint8Array(32_769)) }, /more than 32768 bytes/],
    ['capitals', { header: own.anchor.header.toUpperCase() }, /hex/],
    ['half a byte', { receipt: '0x0' }, /odd number/],
    ['no chain', { chain_id: '1' }, /whole number/],
    ['a short address', { contract: '0x00' }, /address/],
    ['members that no one knows', { more: 1 }, /unknown member/],
    ['a later checkpoint without its proof', { checkpoint: own.bundle.checkpoint }, /consistency/],
  ])('has %s', (_, change, why) => {
    expect(() => partOf(change)).toThrow(Unreadable);
    expect(() => partOf(change)).toThrow(why);
  });

  it('may leave out 0x, and no bundle has more than two', () => {
    const bare = {
      header: own.anchor.header.slice(2),
      receipt: own.anchor.receipt.slice(2),
      proof: own.anchor.proof.map((node) => node.slice(2)),
    };
    expect(partOf(bare).state).toBe('verified');
    expect(() => reportOf({ ...own.bundle, anchors: Array(3).fill(own.anchor) })).toThrow(/more than 2 anchors/);
  });
});

describe('trusted blocks', () => {
  // @covers ETHPROOF-FILE
  it('are hashes or headers, one a line, with or without 0x, among comments and empty lines', () => {
    const lines = ['# mine', '', own.hash, `  0x${later.hash.toUpperCase()} `, own.anchor.header, ''];
    expect(readBlockList(lines.join('\r\n'))).toEqual(new Set([own.hash, later.hash]));
    expect(readBlockList(later.anchor.header.slice(2))).toEqual(new Set([later.hash]));
    expect(readBlockList('# none')).toEqual(new Set());
  });

  // @covers ETHPROOF-FILE
  it.each<[string, RegExp]>([
    [`${'11'.repeat(32)}\n12`, /^line 2: /],
    ['zz', /^line 1: hex with/],
    [hex(unhex(own.anchor.header).subarray(1)), /^line 1: /],
    ['11'.repeat(40_000), /longer than a header/],
    ['\n'.repeat(4 * 1024 * 1024 + 1), /more than 4194304 characters/],
  ])('that cannot be read are refused', (file, why) => {
    expect(() => readBlockList(file)).toThrow(Unreadable);
    expect(() => readBlockList(file)).toThrow(why);
  });
});
