import { type Command, Option } from 'commander';
import { keyScopes } from '../../contracts/scopes.js';

interface CreateOptions {
  readonly name: string;
  readonly workspace?: string;
  readonly scope?: readonly string[];
}

/** The commands for the keys that sign the log, and for API keys. */
export function addKeyCommands(
  program: Command,
  maintain: (command: string, args: readonly string[]) => Promise<void>,
): void {
  const keys = program
    .command('keys')
    .description('list, add, retire and disown the keys that sign the transparency log; create API keys')
    .action(async () => (await import('./keys.js')).listKeys());
  keys
    .command('create')
    .description('make an API key for the default namespace, which is printed once')
    .option('--name <name>', 'the name that lists of keys show', 'command line')
    .option('--workspace <id>', 'the id that counterfoil workspaces shows; needed if there are several')
    .addOption(
      new Option(
        '--scope <scope...>',
        'what the key may do; may be given several times. Without one it may do everything with memories, and sees no receipts of governance',
      ).choices(keyScopes),
    )
    .action(({ name, workspace, scope = [] }: CreateOptions) =>
      maintain('keys', [
        ...['create', name],
        ...(workspace === undefined ? [] : [`workspace=${workspace}`]),
        ...scope.map((one) => `scope=${one}`),
      ]),
    );
  keys
    .command('add')
    .description('make a further signing key for the transparency log, endorsed by the existing ones')
    .action(async () => (await import('./keys.js')).addKey());
  keys
    .command('retire')
    .description('end a signing key: it signs no later checkpoint')
    .argument('<id>', 'the id that counterfoil keys shows')
    .action(async (id: string) => (await import('./keys.js')).retireKey(id));
  keys
    .command('disown')
    .description('record in the log that a key entered it by mistake')
    .argument('<id>', 'the id that counterfoil keys shows')
    .action(async (id: string) => (await import('./keys.js')).disownKey(id));
}
