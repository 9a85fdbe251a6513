import { type Begin, mayBegin } from '../../domain/ethereum/begin.js';
import { viewChain, viewMarket } from './look.js';
import type { Looks } from './looks.js';
import type { FindNonceUser } from './nonce-user.js';
import { type Outcome, owned, type Purpose, requireChain, type SenderParts, type Wanted, waiting } from './parts.js';
import { insertTransaction, isTaken, lastNonce, spentOn } from './rows.js';
import { send, sign } from './send.js';

interface Memory {
  readonly before: Looks;
  readonly userOf: FindNonceUser;
}

/** Makes a transaction if it may be made now. */
export async function begin(
  parts: SenderParts,
  purpose: Purpose,
  { before, userOf }: Memory,
  wanted: Wanted,
): Promise<Outcome> {
  const { database, node, signer, setting, world } = parts;
  const { address } = signer;
  await requireChain(node, setting);
  const obstacle = await purpose.obstacle();
  if (obstacle !== null) return waiting(obstacle);
  const view = await viewChain(node, setting.confirmations);
  const known = await database.read(async (tx) => ({
    lastNonce: await lastNonce(tx, address),
    isTaken: await isTaken(tx, address),
    spent: await spentOn(tx, purpose.name, world.now()),
  }));
  // Of several nodes behind one address, one that lags does not have the newest block of another, so it cannot answer about it.
  const nonce = await node.transactionCount(address, known.lastNonce === null ? view.head.number : 'latest');
  const expected = known.lastNonce === null ? nonce : known.lastNonce + 1;
  const used = { account: address, nonce: expected, ours: [] };
  const decided = mayBegin(
    {
      nonce,
      headAgeMs: world.now().getTime() - view.head.timestamp * 1000,
      user: nonce > expected ? await userOf(used, view.finalHead) : 'open',
      market: await viewMarket(node, view),
      gas: await node.estimateGas({ from: address, to: wanted.recipient, data: wanted.data }),
      balance: await node.balance(address),
      looks: before.count(`next ${nonce}`),
    },
    {
      lastNonce: known.lastNonce,
      isTaken: known.isTaken,
      ceiling: setting.maxFeeWei,
      maxTip: setting.maxTipWei,
      budgetLeft: setting.maxSpendWeiPerDay - known.spent.paid - known.spent.reserved,
      mostGas: purpose.mostGas,
      leastGas: purpose.leastGas,
    },
  );
  return decided.begin ? beginWith(parts, purpose, wanted, decided) : waiting(decided.problem);
}

async function beginWith(
  parts: SenderParts,
  { name }: Purpose,
  wanted: Wanted,
  { nonce, gasLimit, fees }: Extract<Begin, { begin: true }>,
): Promise<Outcome> {
  const { signer, setting, world } = parts;
  const made = {
    account: signer.address,
    nonce,
    chainId: setting.chainId,
    purpose: name,
    gasLimit,
    begunAt: world.now().toISOString(),
    ...wanted,
  };
  const variant = sign(parts, made, fees);
  await owned(parts, (tx) => insertTransaction(tx, made, variant));
  return (await send(parts.node, variant)) ?? waiting(null);
}
