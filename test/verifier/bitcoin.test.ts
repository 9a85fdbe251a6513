import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attests, faultOfWork, mainChain, parseHeader, shownHash, targetOf } from '../../src/verifier/bitcoin.js';
import { fromHex, toHex } from '../../src/verifier/bytes.js';
import { createChain, dataTransaction, doubleSha256, easyTarget } from '../anchoring/bitcoin.js';

/** Bitcoin's first block, which everybody knows by heart. */
const genesis = fromHex(
  `01000000${'00'.repeat(32)}3ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c`,
);
const easy = () => easyTarget;

describe('a block header', () => {
  it('is taken apart', () => {
    const header = parseHeader(genesis);
    expect(header).toMatchObject({ version: 1, time: 1_231_006_505, bits: 0x1d00ffff, nonce: 2_083_236_893 });
    expect(shownHash(header.hash)).toBe('000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f');
    expect(shownHash(header.merkleRoot)).toBe('4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b');
    expect(toHex(header.previous)).toBe('00'.repeat(32));
  });

  it('is read wherever it is in memory', () => {
    const among = new Uint8Array([1, 2, 3, ...genesis, 4]);
    expect(parseHeader(among.subarray(3, 83))).toEqual(parseHeader(genesis));
  });

  it.each([0, 79, 81, 160])('is refused with %i bytes', (length) => {
    expect(() => parseHeader(new Uint8Array(length))).toThrow(`a block header of ${length} bytes`);
  });

  it('attests its Merkle root in the order of bytes in which it was computed', () => {
    const header = parseHeader(genesis);
    expect(attests(header, genesis.slice(36, 68))).toBe(true);
    expect(attests(header, genesis.slice(36, 68).reverse())).toBe(false);
    expect(attests(header, genesis.slice(36, 67))).toBe(false);
  });
});

describe('compact bits', () => {
  it.each([
    [0x01123456, 0x12n],
    [0x02123456, 0x1234n],
    [0x03123456, 0x123456n],
    [0x04123456, 0x12345600n],
    [0x05009234, 0x92340000n],
    [0x20123456, 0x123456n << 232n],
    [0x1d00ffff, 0xffffn << 208n],
    [0x207fffff, 0x7fffffn << 232n],
    [0x2200007f, 0x7fn << 248n],
    [0x220000ff, 0xffn << 248n],
    [0x2100ffff, 0xffffn << 240n],
  ])('%i stand for their target', (bits, target) => {
    expect(targetOf(bits)).toBe(target);
  });

  it.each([
    [0, 'zero'],
    [0x00123456, 'zero'],
    [0x01003456, 'zero'],
    [0x02000056, 'zero'],
    [0x03000000, 'zero'],
    [0x04000000, 'zero'],
    [0x00923456, 'zero'],
    [0x01803456, 'zero'],
    [0x04800000, 'zero'],
    [0x01fedcba, 'negative'],
    [0x04923456, 'negative'],
    [0x20923456, 'negative'],
    [0xff123456, '256 bits'],
    [0x21123456, '256 bits'],
    [0x22000100, '256 bits'],
    [0x23000001, '256 bits'],
  ])('%i are refused', (bits, reason) => {
    expect(() => targetOf(bits)).toThrow(reason);
  });

  it('never stand for a target that does not fit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffffff }), (bits) => {
        try {
          const target = targetOf(bits);
          expect(target > 0n && target < 1n << 256n).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
      }),
      { numRuns: 5000 },
    );
  });
});

describe('the work of a header', () => {
  const chain = createChain();
  chain.mine(3);
  const mined = parseHeader(chain.block(3)?.header ?? new Uint8Array());

  it('is believed when the hash is below the target of its bits', () => {
    expect(faultOfWork(mined, easy)).toBeUndefined();
    expect(faultOfWork(parseHeader(genesis), easy)).toBeUndefined();
  });

  it('is not believed when the hash is above it', () => {
    const cheap = genesis.slice();
    cheap[76] = 0;
    expect(faultOfWork(parseHeader(cheap), easy)).toBe('a block header without the work that it claims');
  });

  it('is not believed when it was easier than any of its time', () => {
    expect(faultOfWork(mined)).toContain('easier to mine');
    // Of 2009, when nothing was attested.
    expect(faultOfWork(parseHeader(genesis))).toContain('easier to mine');
  });

  it('is not believed when its bits stand for nothing', () => {
    expect(faultOfWork({ ...mined, bits: 0x04923456 }, easy)).toContain('negative');
  });

  it('costs more the later a header says it is', () => {
    const targets = [2015, 2019, 2020, 2023, 2024, 2026].map((year) => mainChain(Date.UTC(year, 6) / 1000));
    expect(targets).toEqual([...targets].sort((a, b) => (a < b ? 1 : a > b ? -1 : 0)));
    // Block 358,391 of May 2015 and block 824,544 of January 2024, whose difficulty was 73.2 trillion, are within.
    expect(targetOf(0x181686f5) < mainChain(1_432_827_678)).toBe(true);
    expect((0xffffn << 208n) / 73_200_000_000_000n < mainChain(Date.UTC(2024, 0, 5) / 1000)).toBe(true);
  });
});

describe('the simulated chain', () => {
  it('has linked blocks, and paths from transactions to Merkle roots', () => {
    const chain = createChain();
    for (let count = 1; count < 8; count += 1) {
      const transactions = Array.from({ length: count }, (_, at) =>
        dataTransaction(new Uint8Array(32).fill(16 * count + at)),
      );
      for (const one of transactions) chain.send(one);
      chain.mine();
      const header = parseHeader(chain.block(count)?.header ?? new Uint8Array());
      expect(header.previous).toEqual(doubleSha256(chain.block(count - 1)?.header ?? new Uint8Array()));
      for (const one of transactions) expect(chain.find(one)?.height).toBe(count);
    }
  });
});
