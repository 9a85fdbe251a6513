import { realWorld } from '../base/world.js';
import { openKeys } from '../wiring/start/store.js';
import { readSettings } from './settings.js';
import { type Terminal, terminal } from './terminal.js';

const nothingOpen = 'There is no open objection of a witness to this log.';
const decided = [
  'The decision to continue is recorded, and the log is signed again from the next checkpoint on. The service needs no restart.',
  'Explain to those who follow the log why it was reset to an earlier state: they see two histories of it.',
];

/** Records the decision to sign the log in spite of the objections of witnesses. The exit code is 2 when that fails. */
export function resumeLog({ out, err }: Pick<Terminal, 'out' | 'err'> = terminal): void {
  try {
    const { objections } = openKeys(readSettings(), realWorld);
    const open = objections.open();
    objections.dismiss();
    out(open.length === 0 ? nothingOpen : [...open.map(({ reason }) => reason), ...decided].join('\n'));
  } catch (error) {
    err(`counterfoil: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 2;
  }
}
