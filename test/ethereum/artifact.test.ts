import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { artifactFile, sourceSha256 } from '../../ops/build/contracts/source.js';
import { readAnchorContract } from '../../src/adapters/ethereum/anchor-contract.js';

it('the checked-in contract was compiled from the source as it is now; if not: npm run contracts', () => {
  expect(JSON.parse(readFileSync(artifactFile, 'utf8')).source.sha256).toBe(sourceSha256());
});

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
