import { takeOverPlan } from '../maintenance/take-over.js';
import { type Confirm, confirmOnTerminal } from './confirm.js';
import { maintenanceOutcome } from './maintenance.js';
import { type Terminal, terminal } from './terminal.js';

export interface TakeOverOptions {
  readonly yes?: boolean;
}

const warning = [
  'Take over only if the directory that had the right to sign is lost, and nothing larger was signed than this: compare it with what',
  'auditors and witnesses have seen last. If more was signed, taking over forks the log for everyone who follows it. The other',
  'directory must not be used again.',
];

/**
 * Takes the right to sign the log over to the directory of keys of this machine. The exit code is 0 when it was taken, 1 when it
 * was not, 2 when the command cannot run.
 */
export async function takeOverLog(
  { yes = false }: TakeOverOptions,
  { out, err }: Pick<Terminal, 'out' | 'err'> = terminal,
  confirm: Confirm = confirmOnTerminal,
): Promise<void> {
  try {
    const found = await maintenanceOutcome('take-over', []);
    if (!found.ok) return fail(found.text);
    const { size, root, witnesses } = takeOverPlan.parse(JSON.parse(found.text));
    out(`The store has a log of ${size} leaves that was signed, or was about to be, with the root ${root}.`);
    if (witnesses.length > 0)
      out(`These witnesses have signed its newest checkpoint and nothing larger: ${witnesses.join(', ')}.`);
    else out(warning.join('\n'));
    if (!yes && witnesses.length === 0 && !(await isConfirmed(confirm))) return fail('Nothing was taken over.');
    const taken = await maintenanceOutcome('take-over', [String(size), root]);
    if (!taken.ok) return fail(taken.text);
    out(taken.text);
  } catch (error) {
    err(`counterfoil: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 2;
  }

  function fail(text: string): void {
    err(text);
    process.exitCode = 1;
  }
}

async function isConfirmed(confirm: Confirm): Promise<boolean> {
  const answer = await confirm('Take over?');
  if (answer === 'no terminal') throw new Error('There is no terminal to ask at. Repeat the command with --yes.');
  return answer === 'yes';
}
