import type { Command } from 'commander';
import type { TakeOverOptions } from './log-take-over.js';

/** The commands by which an operator decides about the signing of the transparency log. */
export function addLogCommands(program: Command): void {
  const log = program.command('log').description('resume the signing of the transparency log, or take it over');
  log
    .command('resume')
    .description('sign again although a witness has objected; the decision is recorded beside the keys')
    .action(async () => (await import('./log-resume.js')).resumeLog());
  log
    .command('take-over')
    .description('sign with the keys here, because the directory that had the right to sign the log is lost')
    .option('--yes', 'without a question; it is also not asked when a witness confirms the newest checkpoint')
    .action(async (options: TakeOverOptions) => (await import('./log-take-over.js')).takeOverLog(options));
}
