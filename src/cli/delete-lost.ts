import type { OnLabelledProgress } from '../maintenance/fsck.js';
import { type Confirm, confirmOnTerminal } from './confirm.js';
import { maintenanceOutcome } from './maintenance.js';
import { showProgress } from './progress.js';
import { printable, type Terminal, terminal } from './terminal.js';

export interface DeleteLostOptions {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

interface Tools extends Pick<Terminal, 'out' | 'err'> {
  readonly confirm: Confirm;
}

/**
 * Deletes the contents that `fsck` names as lost.
 * @returns the exit code: 0, 1 when they were not deleted, or 2 when it cannot run
 */
export async function deleteLost(
  { dryRun = false, yes = false }: DeleteLostOptions,
  { out, err, confirm }: Tools = { ...terminal, confirm: confirmOnTerminal },
): Promise<number> {
  try {
    if (!yes || dryRun) {
      const found = await running([]);
      out(printable(found.text));
      if (found.ok || dryRun) return 0;
      const answer = await confirm(
        'A deletion cannot be undone, and a backup of the vault may have the texts. Delete them?',
      );
      if (answer !== 'yes') {
        err(
          answer === 'no'
            ? 'Nothing was deleted.'
            : 'counterfoil: Nothing was deleted. Without a terminal, give --yes.',
        );
        return 1;
      }
    }
    out(printable((await running(['delete'])).text));
    return 0;
  } catch (error) {
    err(printable(`counterfoil: ${error instanceof Error ? error.message : String(error)}`));
    return 2;
  }
}

async function running(args: readonly string[]) {
  const progress = showProgress();
  const onProgress: OnLabelledProgress = progress.report;
  try {
    return await maintenanceOutcome('delete-lost', args, onProgress);
  } finally {
    progress.stop();
  }
}
