import { openEmbedder } from '../adapters/embeddings/open.js';
import { packageVersion } from '../base/version.js';
import { openDatabase } from '../database/open.js';
import type { Outcome } from '../maintenance/command.js';
import type { OnLabelledProgress } from '../maintenance/fsck.js';
import { preparingAlone, requirePreparable } from '../maintenance/prepared/fitness.js';
import { discardPrepared, prepare } from '../maintenance/prepared/prepare.js';
import { rebuildables } from '../maintenance/rebuildable.js';
import { showProgress } from './progress.js';
import { readSettings } from './settings.js';
import { CannotStart, explained } from './start-faults.js';
import { printable, terminal } from './terminal.js';

/** Prepares an upgrade on a server, or removes what was prepared. The exit code is 0, or 2 when it cannot run. */
export async function prepareUpgrade(discard: boolean): Promise<void> {
  const progress = showProgress();
  try {
    const { text } = await outcomeOf(discard, progress.report);
    progress.stop();
    terminal.out(printable(text));
  } catch (error) {
    progress.stop();
    terminal.err(printable(`counterfoil: ${error instanceof Error ? error.message : String(error)}`));
    process.exitCode = 2;
  }
}

async function outcomeOf(discard: boolean, onProgress: OnLabelledProgress): Promise<Outcome> {
  const config = readSettings();
  const { databaseUrl: url } = config;
  if (url === undefined) {
    throw new CannotStart(
      'An embedded store admits one process, so nothing can be prepared while another one serves. Stop the service and start this version: it builds what has changed, and answers then.',
    );
  }
  // The migrations of this version are not applied: the version that serves does not know them.
  const database = await explained(config, 'DATABASE_URL', () => openDatabase({ kind: 'server', url }));
  try {
    if (!discard) await requirePreparable(database);
    return await preparingAlone(database, async () => {
      if (discard) return discardPrepared(database);
      return prepare(database, rebuildables(openEmbedder(config.embeddings)), {
        program: packageVersion(),
        onProgress: (done, total) => onProgress('prepare', done, total),
        say: (line) => terminal.err(line),
      });
    });
  } finally {
    await database.close();
  }
}
