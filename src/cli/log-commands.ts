import type { Command } from 'commander';
import type { SucceedOptions } from './log-succeed.js';
import type { TakeOverOptions } from './log-take-over.js';

/** The commands with which an operator decides about the signing of the log. */
export function addLogCommands(program: Command): void {
  const log = program
    .command('log')
    .description('resume the signing of the transparency log, take it over, or end the log');
  log
    .command('resume')
    .description('sign again although a witness has objected; the decision is recorded beside the keys')
    .action(async () => (await import('./log-resume.js')).resumeLog());
  log
    .command('take-over')
    .description('sign with the keys here, because the directory that had the right to sign the log is lost')
    .option('--yes', 'without a question; it is also not asked when a witness confirms the newest checkpoint')
    .action(async (options: TakeOverOptions) => (await import('./log-take-over.js')).takeOverLog(options));
  log
    .command('succeed')
    .description('end a log whose newest leaves are lost, and begin the log that follows it, while no service runs')
    .option(
      '--keys <directory>',
      'another directory with the keys of this log; may be given several times',
      collect,
      [],
    )
    .option('--state <file>', 'the state of an audit of this log; may be given several times', collect, [])
    .option('--yes', 'do it without a question; otherwise what is lost is shown first')
    .action(async (options: SucceedOptions) => {
      const { logSucceed } = await import('./log-succeed.js');
      process.exitCode = await logSucceed(options);
    });
}

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];
