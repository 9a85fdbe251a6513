import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import type { AuditOptions } from './audit.js';
import type { DeployOptions } from './ethereum/deploy.js';
import type { ExportOptions } from './export.js';
import type { ImportOptions } from './import.js';
import { addKeyCommands } from './key-commands.js';
import { addLogCommands } from './log-commands.js';
import type { McpOptions } from './mcp/mcp.js';
import type { RemoteOptions } from './remote.js';
import { requireFiles } from './require-files.js';
import { finishesOutput } from './run-program.js';
import type { ServeOptions } from './serve.js';
import { addStoreCommands } from './store-commands.js';
import type { SubmitOptions } from './submit/submit.js';
import type { VerifyOptions } from './verify.js';
import { addWorkspaceCommands } from './workspace-commands.js';

// Each command loads its modules when it runs, because a verifier that also loaded the database would take seconds to start.
const maintain = async (command: string, args: readonly string[]) => {
  requireFiles();
  return (await import('./maintenance.js')).runMaintenance(command, args);
};

interface RecomputeOptions {
  readonly at?: string;
  readonly public?: string;
  readonly key: readonly string[];
}

/** The command line. The reference of the documentation is generated from it. */
export const program = new Command('counterfoil').description(
  'Memory and receipts that can be checked without trusting who runs the service.',
);
finishesOutput(program);

program
  .command('serve')
  .description('start the service')
  .option('--accept-clock', 'the clock of this machine is right, although the newest entry is more than a day old')
  .action(async (options: ServeOptions) => {
    requireFiles();
    await (await import('./serve.js')).serve(options);
  });

program
  .command('accept-clock')
  .description('let a service continue that waits because of its clock: the clock of this machine is right')
  .action(() => maintain('accept-clock', []));

program
  .command('replay')
  .description('rebuild read models from the ledger, while the service answers')
  .argument('[models...]', 'the name of a read model, elasticsearch for the index there, or all read models', ['all'])
  .action((models: string[]) => maintain('replay', models));

program
  .command('fsck')
  .description('check chains, vault and read models against the stored bytes, and name every fault')
  .action(() => maintain('fsck', []));

addStoreCommands(program);

program
  .command('scrub')
  .description('rewrite the tables that held content, so that no file holds a byte of deleted text')
  .option('--search', 'the same in Elasticsearch')
  .action(({ search }: { search?: true }) => maintain('scrub', search ? ['--search'] : []));

program
  .command('backup')
  .description('copy the embedded store and the signing keys, also while the service runs')
  .argument('<directory>', 'a directory that does not exist yet')
  .action((directory: string) => maintain('backup', [resolve(directory)]));

program
  .command('migrate-store')
  .description('copy the embedded store, which no process may use meanwhile, into an empty PostgreSQL database')
  .option('--to <url>', 'postgres://…; better in COUNTERFOIL_MIGRATE_TO, where no list of processes shows its password')
  .action(async ({ to }: { to?: string }) => (await import('./migrate-store.js')).migrateStore(to));

program
  .command('migrate-ledger')
  .description('move the ledger between the database and EventStoreDB, while no service runs; it can be repeated')
  .option('--to <engine>', 'eventstore or database')
  .action(async ({ to }: { to?: string }) => (await import('./migrate-ledger.js')).migrateLedger(to));

addWorkspaceCommands(program, maintain);

program
  .command('people')
  .description('reset the password of a person')
  .command('password')
  .description('set a new password for a person, print it once, and end the sessions of that person')
  .argument('<email>', 'the e-mail address that the person signs in with')
  .action((email: string) => maintain('people', ['password', email]));

program
  .command('relay')
  .description('the sending of entries to Kafka')
  .command('reset')
  .description('send all entries again, from the first one on, to a topic that was never used; also while services run')
  .requiredOption('--topic <name>', 'the new topic, which is made when it is missing')
  .option('--log', 'the topic of the log and the registry (KAFKA_LOG_TOPIC), instead of that of the workspaces')
  .action(({ topic, log }: { topic: string; log?: boolean }) =>
    maintain('relay', ['reset', topic, log ? 'log' : 'entries']),
  );

program
  .command('verify')
  .description('check a proof bundle, without a store and without a network')
  .argument('<bundle>', 'a file, or - for standard input')
  .option('--key <vkey or file>', 'a verifier key that you trust; may be given several times', collect, [])
  .option('--headers <file or url>', 'block headers: a JSON file, an Esplora server or a Bitcoin node')
  .option(
    '--ethereum <file or url>',
    'blocks of Ethereum that you trust: a file of hashes or headers, or a JSON-RPC node',
  )
  .option('--contract <address>', 'the contract that anchors on Ethereum must be of')
  .option('--witnesses <file>', 'a policy of witnesses, or a list of their verifier keys: adds the claim witnesses')
  .option('--quorum <number>', 'how many of these witnesses must have signed, where the policy has no quorum')
  .option('--entries <file>', 'all entries of the workspace, from export-receipts: adds the claim range')
  .option('--receipt-hash <hex>', 'the receipt that the bundle must be about')
  .option(
    '--require <claims>',
    'names of claims, with commas between them: the exit code is 3 when one of them is not verified',
    collect,
    [],
  )
  .option('--json', 'print the report as JSON')
  .action(async (bundle: string, options: VerifyOptions) => {
    const { verify } = await import('./verify.js');
    process.exitCode = await verify(bundle, options);
  });

program
  .command('audit')
  .description('follow the transparency log as an outsider')
  .argument('[log]', 'its address, BASE_URL/v1/ledger, or a directory with the same files')
  .option('--state <file>', 'the file that stores what this visit has seen, for the next one')
  .option('--key <vkey or file>', 'a verifier key of the log that you trust; may be given several times', collect, [])
  .option(
    '--accept-succession',
    'continue with a log that follows one that has lost leaves; otherwise the exit code is 1',
  )
  .option('--evidence <file>', 'check an evidence file instead, without the log')
  .action(async (log: string | undefined, { evidence, ...options }: AuditOptions & { evidence?: string }) => {
    if ((log === undefined) === (evidence === undefined)) program.error('error: give either a log or --evidence');
    const { audit, auditEvidence } = await import('./audit.js');
    process.exitCode =
      evidence === undefined ? await audit(log ?? '', options) : await auditEvidence(evidence, options);
  });

program
  .command('recompute')
  .description('compute public figures again: a feed from the entries of the store, or closed days from public files')
  .argument('[feed]', 'terminal, discovery, standards/disputes, trading, treasury or attribution')
  .option(
    '--at <time>',
    'the moment of the feed as RFC 3339, such as 2027-03-01T12:00:00Z; it is cut down to the minute',
  )
  .option('--public <url>', 'check the closed days of a running service from its public files, as an outsider')
  .option('--key <vkey or file>', 'a verifier key of the log that you trust; may be given several times', collect, [])
  .action(async (feed: string | undefined, { at, public: url, key }: RecomputeOptions) => {
    const isOfStore = feed !== undefined && at !== undefined;
    if (isOfStore === (url !== undefined)) program.error('error: give either a feed and --at, or --public');
    if (isOfStore) return maintain('recompute', [feed, at]);
    const { recomputePublic } = await import('./recompute/public.js');
    process.exitCode = await recomputePublic(url ?? '', { key });
  });

program
  .command('export')
  .description('write every memory that a key can read, from a running service')
  .option('--url <url>', 'the service; otherwise the address that the settings here give it')
  .option('--key <key>', 'an API key; better in COUNTERFOIL_API_KEY, where no list of processes shows it')
  .option('--out <file>', 'a file that does not exist yet; otherwise standard output')
  .action(async (options: ExportOptions) => {
    const { exportMemories } = await import('./export.js');
    process.exitCode = await exportMemories(options);
  });

program
  .command('import')
  .description('write the memories of an export to a running service; existing memories are skipped')
  .argument('<file>', 'an export, or - for standard input; of basic-memory a directory or a ZIP archive')
  .option('--url <url>', 'the service; otherwise the address that the settings here give it')
  .option('--key <key>', 'an API key; better in COUNTERFOIL_API_KEY, where no list of processes shows it')
  .option('--namespace <name>', 'for every memory, instead of the one that it was exported from')
  .addOption(
    new Option('--from <service>', 'the service that the memories are from, if not this one').choices([
      'mem0',
      'basic-memory',
    ]),
  )
  .action(async (file: string, options: ImportOptions) => {
    const { importMemories } = await import('./import.js');
    process.exitCode = await importMemories(file, options);
  });

program
  .command('export-receipts')
  .description(
    'write all entries of a workspace to a file, with a proof that they are all; repeated, it adds the new ones',
  )
  .argument('<file>', 'the file of entries, one on each line; the proof is written to <file>.proof.json')
  .option('--url <url>', 'the service; otherwise the address that the settings here give it')
  .option('--key <key>', 'an API key; better in COUNTERFOIL_API_KEY, where no list of processes shows it')
  .action(async (file: string, options: RemoteOptions) => {
    const { exportReceipts } = await import('./export-receipts.js');
    process.exitCode = await exportReceipts(file, options);
  });

program
  .command('submit')
  .description('send the task receipts of a file to a running service; an interrupted run continues where it ended')
  .argument('<file>', 'JSON lines, one receipt on each, or - for standard input')
  .option('--url <url>', 'the service; otherwise the address that the settings here give it')
  .option('--key <key>', 'an API key; better in COUNTERFOIL_API_KEY, where no list of processes shows it')
  .option('--refused <file>', 'where refused lines are written with their reasons; otherwise <file>.refused.jsonl')
  .option('--state <file>', 'where the progress is stored; otherwise <file>.submit-state.json')
  .action(async (file: string, options: SubmitOptions) => {
    const { submit } = await import('./submit/submit.js');
    process.exitCode = await submit(file, options);
  });

program
  .command('mcp')
  .description(
    'connect an MCP client that starts programs to a running service: messages on standard input, answers on standard output',
  )
  .option('--url <url>', 'the service; otherwise COUNTERFOIL_URL, otherwise http://127.0.0.1:8080')
  .option('--key-file <file>', 'a file that contains an agent key; otherwise the key in COUNTERFOIL_AGENT_KEY')
  .action(async (options: McpOptions) => {
    const { mcp } = await import('./mcp/mcp.js');
    process.exitCode = await mcp(options);
  });

addKeyCommands(program, maintain);

const ethereum = program.command('ethereum').description('the contract on Ethereum that takes the anchors');
ethereum
  .command('deploy')
  .description(
    'create the contract; ETH_RPC_URL, ETH_CHAIN_ID and the key of ETH_PRIVATE_KEY_FILE, which pays, must be set',
  )
  .option('--yes', 'send without a question; otherwise the cost is shown first')
  .option('--again', 'also when the account has sent transactions, such as an earlier deployment')
  .action(async (options: DeployOptions) => {
    const { ethereumDeploy } = await import('./ethereum/deploy.js');
    process.exitCode = await ethereumDeploy(options);
  });
ethereum
  .command('check')
  .description('compare the code at an address with the contract; ETH_RPC_URL must be set')
  .argument('<address>', 'the address of a contract, 0x and 40 hex digits')
  .action(async (address: string) => {
    const { ethereumCheck } = await import('./ethereum/check.js');
    process.exitCode = await ethereumCheck(address);
  });

addLogCommands(program);

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}
