import { type FormerLog, formerKeyLeaves, formerLogs } from '../../../projections/log/former.js';
import { keyLeaves } from '../../../projections/log/queries.js';
import type { Faults, OnFault } from '../../base/faults.js';
import type { Database } from '../../database/database.js';
import type { EasiestTarget } from '../../verifier/bitcoin.js';
import { toUtf8 } from '../../verifier/bytes.js';
import type { SoundKey } from '../../verifier/key-history.js';
import { faultOfSuccession, readSuccession, type Succession } from '../../verifier/succession.js';
import { attempt } from '../../verifier/unreadable.js';
import { checkedKeys, formerPlace, logTree } from './checkpoints.js';
import { checkTree } from './tree.js';

interface FormerCheck {
  readonly database: Database;
  readonly easiest: EasiestTarget;
  readonly faults: Faults;
  readonly onLeaves: (count: number) => void;
}

/** Checks the logs that have ended, each up to what was kept of it: its tree, keys and checkpoints, and the succession that ended it. */
export async function checkFormerLogs(check: FormerCheck): Promise<void> {
  for (const former of await check.database.transaction(formerLogs)) {
    await check.faults.attempt('logs that have ended', () => checkFormer(check, former));
  }
}

async function checkFormer({ database, easiest, faults, onLeaves }: FormerCheck, former: FormerLog): Promise<void> {
  const { log, kept } = former;
  const { found } = faults;
  const leaves = await database.transaction((tx) => formerKeyLeaves(tx, log));
  const keys = checkedKeys(leaves, 'former_leaves', found);
  await checkTree(database, logTree({ place: formerPlace(log), size: kept, keys, easiest, found }), {
    found,
    onLeaves,
  });
  const report: OnFault = (kind, fault) =>
    found(kind, `The succession of log ${log} in the table former_logs ${fault}.`);
  const succession = attempt(() => readSuccession(toUtf8(former.leaf)));
  if (typeof succession === 'string') return report('successions', `cannot be read: ${succession}`);
  const fault = faultOfEnd(succession, kept, keys);
  if (fault !== null) report('successions', fault);
  await checkNext(database, former, report);
}

/** A log whose keys are not known is one of which nothing was kept, or one before the log that has ended. */
function faultOfEnd(succession: Succession, kept: number, keys: readonly SoundKey[] | null): string | null {
  const [first] = keys ?? [];
  if (!first || first.key.name !== succession.from.origin) return null;
  if (succession.kept.size !== kept)
    return `says that ${succession.kept.size} leaves were kept, and its row says ${kept}`;
  return faultOfSuccession(
    succession,
    (keys ?? []).map(({ key }) => key),
  );
}

/** The log that follows begins with the same succession. */
async function checkNext(database: Database, { next, leaf }: FormerLog, report: OnFault): Promise<void> {
  const [, second] = await database.transaction(async (tx) => {
    const isFormer = (await formerLogs(tx)).some(({ log }) => log === next);
    return isFormer ? formerKeyLeaves(tx, next) : keyLeaves(tx, 2);
  });
  // Of a log that has lost all that was signed of it, no leaf is kept.
  if (second && second.leaf !== leaf) report('successions', `is not leaf 1 of log ${next}`);
}
