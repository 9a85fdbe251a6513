#!/usr/bin/env node
import { Command } from 'commander';
import { type AuditOptions, audit, auditEvidence } from './audit.js';
import { addKey, listKeys, retireKey } from './keys.js';
import { runMaintenance } from './maintenance.js';
import { serve } from './serve.js';
import { type VerifyOptions, verify } from './verify.js';

const program = new Command('counterfoil').description(
  'Memory and receipts that can be checked without trusting who runs the service.',
);
// Commands end with 1 for a fault that they have found; what was typed wrong is none.
program.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));

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

program
  .command('verify')
  .description('check a proof bundle, without store and network')
  .argument('<bundle>', 'a file, or - for standard input')
  .option('--key <vkey or file>', 'a verifier key that you trust; may be given several times', collect, [])
  .option('--headers <file or url>', 'block headers: a JSON file, an Esplora server or a Bitcoin node')
  .option('--receipt-hash <hex>', 'the receipt that the bundle must be about')
  .option('--json', 'print the report as JSON')
  .action(async (bundle: string, options: VerifyOptions) => {
    process.exitCode = await verify(bundle, options);
  });

program
  .command('audit')
  .description('follow the public log as an outsider')
  .argument('[log]', 'its address, BASE_URL/v1/ledger, or a directory with the same files')
  .option('--state <file>', 'where to remember this visit for the next one')
  .option('--key <vkey or file>', 'a verifier key of the log that you trust; may be given several times', collect, [])
  .option('--evidence <file>', 'check an evidence file instead, without the log')
  .action(async (log: string | undefined, { evidence, ...options }: AuditOptions & { evidence?: string }) => {
    if ((log === undefined) === (evidence === undefined)) program.error('error: give either a log or --evidence');
    process.exitCode =
      evidence === undefined ? await audit(log ?? '', options) : await auditEvidence(evidence, options);
  });

const keys = program
  .command('keys')
  .description('list, add and retire the keys that sign the public log')
  .action(() => listKeys());
keys
  .command('add')
  .description('make a further key, which the others vouch for')
  .action(() => addKey());
keys
  .command('retire')
  .description('let a key sign no more')
  .argument('<id>', 'as counterfoil keys shows it')
  .action((id: string) => retireKey(id));

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

await program.parseAsync();
