import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { artifactFile, sourceSha256 } from '../../ops/build/contracts/source.js';
import { readAnchorContract } from '../../src/adapters/ethereum/anchor-contract.js';

// @covers ANCHOR-BUILD
it('the checked-in contract was compiled from the source as it is now; if not: npm run contracts', () => {
  expect(JSON.parse(readFileSync(artifactFile, 'utf8')).source.sha256).toBe(sourceSha256());
});

// @covers ANCHOR-RIGHTS
it('the contract has the functions and the event that others build on, and takes no ether', () => {
  const { abi } = readAnchorContract();
  expect([...abi.format()].sort()).toEqual([
    'error EmptyBatch()',
    'event Anchored(bytes32 indexed origin, bytes32 indexed digest, uint64 size)',
    'function anchor(bytes32 origin, uint64 size, bytes32 digest)',
    'function anchorAll((bytes32 origin, uint64 size, bytes32 digest)[] anchors)',
    'function firstSeen(bytes32 origin, bytes32 digest) view returns (uint256 blockNumber)',
  ]);
});

/** The instructions of the code, without the values that it pushes and without the metadata behind it. */
function instructionsOf(bytecode: string): number[] {
  const bytes = Buffer.from(bytecode.slice(2), 'hex');
  const code = bytes.subarray(0, bytes.length - 2 - bytes.readUInt16BE(bytes.length - 2));
  const found: number[] = [];
  for (let at = 0; at < code.length; at += 1) {
    const instruction = code[at] ?? 0;
    found.push(instruction);
    const isPush = instruction >= 0x60 && instruction <= 0x7f;
    if (isPush) at += instruction - 0x5f;
  }
  return found;
}

// @covers ANCHOR-RIGHTS
it('the contract calls no contract, makes none, cannot be destroyed, and reads neither its balance nor its caller', () => {
  const forbidden: Readonly<Record<number, string>> = {
    49: 'BALANCE',
    50: 'ORIGIN',
    51: 'CALLER',
    71: 'SELFBALANCE',
    240: 'CREATE',
    241: 'CALL',
    242: 'CALLCODE',
    244: 'DELEGATECALL',
    245: 'CREATE2',
    250: 'STATICCALL',
    255: 'SELFDESTRUCT',
  };
  const instructions = instructionsOf(readAnchorContract().deployedBytecode);
  expect(instructions.flatMap((one) => forbidden[one] ?? [])).toEqual([]);
  const [sload, sstore, log3] = [0x54, 0x55, 0xa3];
  expect(instructions.filter((one) => one === sstore || one === log3)).toEqual([sstore, log3]);
  expect(instructions).toContain(sload);
});
