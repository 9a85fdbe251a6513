import { type Appended, type AppendedInQueue, type Commit, type Ledger, NotAppended } from './ledger.js';

export interface LedgerLog {
  error(members: object, text: string): void;
  info(members: object, text: string): void;
}

/** The outcome of an append. `failed`: it ended with an error, and is repeated or refused. */
type AppendOutcome = Appended['outcome'] | 'failed';

export interface ReportedLedger {
  readonly ledger: Ledger;
  /** Appends of this process since it started, by what became of them. */
  appends(): ReadonlyMap<AppendOutcome, number>;
  /** The commands and entries of those that were appended. */
  appended(): { readonly commands: number; readonly entries: number };
}

/**
 * The same ledger, which counts its appends and logs why they fail. Who waits for an append learns only that it waits in vain, so
 * without these lines nothing would name the cause. A cause is logged once, and again when it comes back after it has ended.
 */
export function reportedLedger(engine: Ledger, log: LedgerLog): ReportedLedger {
  const counts = new Map<AppendOutcome, number>();
  const total = { commands: 0, entries: 0 };
  const faults = createFaults(log);
  const { appendInQueue } = engine;
  const count = (outcome: AppendOutcome): void => void counts.set(outcome, (counts.get(outcome) ?? 0) + 1);

  async function reported<A extends Appended | AppendedInQueue>(
    chains: readonly string[],
    append: () => Promise<{ appended: A; commits: readonly Commit[] }>,
  ): Promise<A> {
    try {
      const { appended, commits } = await append();
      // Commands that are all refused, or answered from what there is, append nothing.
      if (commits.length > 0) count(appended.outcome);
      if (appended.outcome === 'appended') {
        total.commands += commits.length;
        for (const { entries } of commits) total.entries += entries.length;
      }
      for (const chain of chains) faults.end(chain);
      return appended;
    } catch (error) {
      count('failed');
      const cause = error instanceof NotAppended ? (error.cause ?? error) : error;
      for (const chain of chains) faults.begin(chain, cause);
      throw error;
    }
  }

  return {
    appends: () => counts,
    appended: () => total,
    ledger: {
      ...engine,
      append: (chain, expected, commits, isLate) =>
        reported([chain], async () => ({ appended: await engine.append(chain, expected, commits, isLate), commits })),
      ...(appendInQueue && {
        appendInQueue: (entering, decide) =>
          reported('ifFree' in entering ? entering.ifFree : entering.waitFor, async () => {
            let commits: readonly Commit[] = [];
            const appended = await appendInQueue(entering, async (tx, entered) => {
              const appends = await decide(tx, entered);
              commits = appends.flatMap((one) => one.commits);
              return appends;
            });
            return { appended, commits };
          }),
      }),
    },
  };
}

/** The faults that there are, each with the chains that have it now. When the store is away, all chains have the same one. */
function createFaults(log: LedgerLog) {
  const faults = new Map<string, Set<string>>();
  return {
    begin(chain: string, error: unknown) {
      const fault = String(error);
      const chains = faults.get(fault);
      if (chains) return void chains.add(chain);
      faults.set(fault, new Set([chain]));
      log.error({ chain, err: error }, 'an append to the ledger failed; it is tried again while its callers wait');
    },
    end(chain: string) {
      for (const [fault, chains] of faults) {
        if (!chains.delete(chain) || chains.size > 0) continue;
        faults.delete(fault);
        log.info({ chain, fault }, 'appends to the ledger that failed for this reason succeed again');
      }
    },
  };
}
