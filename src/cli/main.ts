#!/usr/bin/env node
import { Command } from 'commander';
import { runMaintenance } from './maintenance.js';
import { serve } from './serve.js';

const program = new Command('counterfoil').description(
  'Memory and receipts that can be checked without trusting who runs the service.',
);

program.command('serve').description('start the service').action(serve);

program
  .command('replay')
  .description('rebuild read models from the ledger, while the service answers')
  .argument('[models...]', 'namespace, account, memory, receipts, search, or all', ['all'])
  .action((models: string[]) => runMaintenance('replay', models));

program
  .command('fsck')
  .description('check chains, vault and read models against the stored bytes, and name the first fault')
  .action(() => runMaintenance('fsck', []));

program
  .command('scrub')
  .description('write tables anew, so that no file holds a byte of what was deleted')
  .action(() => runMaintenance('scrub', []));

await program.parseAsync();
