import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { artifactText } from '../../../ops/build/contracts/compile.js';
import { artifactFile } from '../../../ops/build/contracts/source.js';
import { readAnchorContract } from '../../../src/adapters/ethereum/anchor-contract.js';
import { deployAnchor } from '../../ethereum/anchor-contract.js';
import { startAnvil } from '../../ethereum/anvil.js';

// @covers ANCHOR-BUILD
it('the checked-in contract is what its source compiles to; if not: npm run contracts', () => {
  expect(readFileSync(artifactFile, 'utf8')).toBe(artifactText());
});

// The oldest of these knows no instruction that came after the merge.
it.each(['paris', 'prague'])('the contract works on a chain of %s', async (hardfork) => {
  const anvil = await startAnvil({ hardfork });
  const { address, contract, provider } = await deployAnchor(anvil);
  expect(await provider.getCode(address)).toBe(readAnchorContract().deployedBytecode);
  const [origin, digest] = [`0x${'11'.repeat(32)}`, `0x${'22'.repeat(32)}`];
  const sent = await contract.getFunction('anchor')(origin, 7, digest);
  const { blockNumber, logs } = await sent.wait();
  expect(await contract.getFunction('firstSeen')(origin, digest)).toBe(BigInt(blockNumber));
  expect(contract.interface.parseLog(logs[0])?.args.toArray()).toEqual([origin, digest, 7n]);
  provider.destroy();
  await anvil.stop();
});
