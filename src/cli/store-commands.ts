import type { Command } from 'commander';
import type { DeleteLostOptions } from './delete-lost.js';
import { requireFiles } from './require-files.js';

/** The commands that change a store after a question, or beside a service of another version. */
export function addStoreCommands(program: Command): void {
  program
    .command('delete-lost')
    .description(
      'delete the memories, private texts and webhooks that fsck names as lost contents, with a receipt for each',
    )
    .option('--dry-run', 'only show them')
    .option('--yes', 'delete without a question; otherwise they are shown first')
    .action(async (options: DeleteLostOptions) => {
      requireFiles();
      const { deleteLost } = await import('./delete-lost.js');
      process.exitCode = await deleteLost(options);
    });

  program
    .command('prepare')
    .description(
      'build the read models that this version changes, while the old version serves; for a start within moments',
    )
    .option('--discard', 'remove what was prepared, instead')
    .action(async ({ discard = false }: { discard?: boolean }) => {
      requireFiles();
      await (await import('./prepare.js')).prepareUpgrade(discard);
    });
}
