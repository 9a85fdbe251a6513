import { openKeys } from '../start/store.js';
import { realWorld } from '../world.js';
import { readSettings } from './settings.js';
import { type Terminal, terminal } from './terminal.js';

const nothingOpen = 'No witness holds anything against this log that nobody has decided about.';
const decided = [
  'The decision to go on is recorded, and the log is signed again from the next checkpoint on. The service needs no restart.',
  'Tell those who follow the log why it was set back: they see two histories of it.',
];

/** Records that the log is to be signed over what witnesses hold against it. Exit code 2 when that cannot be done. */
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
