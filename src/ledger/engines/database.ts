import type { Database } from '../../database/database.js';
import { applyOnce, type Project } from '../apply.js';
import type { Head } from '../chain.js';
import { insertChain, readLinks } from '../entries.js';
import { createNotifier } from '../growth.js';
import { type Appended, type Commit, type IsLate, type Ledger, NotAppended, requireEntrySizes } from '../ledger.js';

/**
 * The ledger in the database of the service: committing and applying are one transaction, so a crash at any statement
 * leaves all of an append or nothing of it.
 */
export function databaseLedger(database: Database, project: Project): Ledger {
  const { grew, follow } = createNotifier();
  return {
    begin: (chain, genesis, tagKey) => database.transaction((tx) => insertChain(tx, chain, genesis, tagKey)),
    async append(chain, expected, commits, isLate = () => false) {
      requireEntrySizes(commits);
      const appended = await appendToTables(database, project, chain, expected, commits, isLate);
      if (appended.outcome === 'appended') grew(chain);
      return appended;
    },
    read: (chain, afterSeq, limit) => database.read((tx) => readLinks(tx, chain, afterSeq, limit)),
    follow,
  };
}

/** Commits and applies in one transaction. */
export async function appendToTables(
  database: Database,
  project: Project,
  chain: string,
  expected: Head,
  commits: readonly Commit[],
  isLate: IsLate,
): Promise<Appended> {
  let inDoubt = false;
  try {
    return await applyOnce(database, project, chain, expected, commits, {
      isLate,
      commits: true,
      inDoubt() {
        inDoubt = true;
      },
    });
  } catch (error) {
    // A transaction whose commit was never sent is never committed.
    if (inDoubt) throw error;
    throw new NotAppended('the append failed before its commit', { cause: error });
  }
}
