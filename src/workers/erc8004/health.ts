import { feedbackHealth } from '../../../projections/feedback/files.js';
import type { EngineHealth } from '../../adapters/metrics.js';
import type { World } from '../../base/world.js';
import type { Database } from '../../database/database.js';
import type { EthereumSetting } from '../../settings/ethereum.js';
import { lowBalance, secondsSince, storedAccount, watchAccount } from '../ethereum/account-health.js';
import type { Purpose } from '../ethereum/parts.js';

interface Parts {
  readonly database: Database;
  readonly world: Pick<World, 'now'>;
  readonly setting: EthereumSetting;
  /** The address of the account that gives the feedback. */
  readonly account: string;
  readonly purpose: Pick<Purpose, 'name' | 'mostGas'>;
  readonly epochMs: number;
  /** The end of a sentence: why this process does not send. */
  problem(): string | null;
}

/** For how many epochs refused feedback is reported. */
const reportedEpochs = 3;

/** The state of the feedback about agents and of the account that gives it, for metrics and readiness. */
export function createFeedbackHealth(parts: Parts): () => Promise<EngineHealth> {
  const { database, world, setting, account, purpose, epochMs, problem } = parts;
  const look = watchAccount(setting, account);
  return async () => {
    const now = world.now();
    const [{ fault, balance }, stored] = await Promise.all([
      look(),
      database
        .read(async (tx) => ({
          feedback: await feedbackHealth(tx, now.getTime() - reportedEpochs * epochMs),
          account: await storedAccount(tx, purpose.name, now),
        }))
        // When the database does not answer, that is reported already.
        .catch(() => null),
    ]);
    const waits = problem();
    const { waiting = 0, since = null, problems = [] } = stored?.feedback ?? {};
    return {
      engine: 'erc8004',
      isUp: fault === null,
      problems: [
        ...(fault === null ? [] : [`The node of Ethereum is of no use: ${fault}. Feedback is given later.`]),
        ...(waits === null ? [] : [`Feedback about agents waits: ${waits}.`]),
        ...lowBalance(account, balance, setting, purpose, 'one feedback'),
        ...problems,
      ],
      lags: new Map(
        stored === null
          ? []
          : [['feedback', { entries: waiting, seconds: since === null ? 0 : secondsSince(since, now) }]],
      ),
      ...(stored === null ? {} : { account: { purpose: purpose.name, balance, ...stored.account, states: new Map() } }),
    };
  };
}
