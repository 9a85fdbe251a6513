import type { Command } from 'commander';

/** The commands for workspaces, which run in the process that holds the store. */
export function addWorkspaceCommands(
  program: Command,
  maintain: (command: string, args: readonly string[]) => Promise<void>,
): void {
  const workspaces = program
    .command('workspaces')
    .description('list the workspaces, add one, and change their plan')
    .action(() => maintain('workspaces', ['list']));
  workspaces
    .command('add')
    .description('add a workspace; its password and API key are printed once')
    .argument('<email>', 'the e-mail address of its owner')
    .action((email: string) => maintain('workspaces', ['add', email]));
  workspaces
    .command('set')
    .description('change the plan of a workspace, or switch its memory API on or off')
    .argument('<id>', 'the id that counterfoil workspaces shows')
    .option('--plan <plan>', 'free, pro, team or enterprise')
    .option('--memory-api <state>', 'on or off')
    .option('--actions <number>', 'the actions a month that were agreed, for the plan enterprise: shown, never a stop')
    .action((id: string, { plan, memoryApi: api, actions }: Record<string, string | undefined>) => {
      const given = Object.entries({ plan, 'memory-api': api, actions });
      const pairs = given.flatMap(([name, value]) => (value ? [`${name}=${value}`] : []));
      if (pairs.length === 0) program.error('error: give --plan, --memory-api or --actions');
      return maintain('workspaces', ['set', id, ...pairs]);
    });
}
