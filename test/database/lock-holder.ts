import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../src/base/package-root.js';

/**
 * Takes the lock of a directory and stays, as a service does, or leaves after a moment, as a check does. While it holds it,
 * it has a file that only one process can have made: that is how the test knows of two holders.
 */
const script = `
  import { closeSync, openSync, unlinkSync } from 'node:fs';
  import { lockDirectory } from ${JSON.stringify(join(packageRoot, 'dist/src/database/directory-lock.js'))};
  const [directory, witness, kind] = process.argv.slice(-3);
  try {
    const lock = await lockDirectory(directory);
    closeSync(openSync(witness, 'wx'));
    console.log('held');
    if (kind === 'check') {
      await new Promise((resolve) => setTimeout(resolve, 15));
      unlinkSync(witness);
      await lock.release();
    } else setInterval(() => undefined, 1000);
  } catch (error) {
    console.log(error.name === 'DirectoryInUse' ? 'refused' : String(error));
  }
`;

export type Kind = 'service' | 'check';

export interface Holder {
  readonly kind: Kind;
  readonly child: ChildProcess;
  /** Its first line: "held", "refused", or what went wrong. */
  readonly outcome: Promise<string>;
  readonly ended: Promise<void>;
}

/** @param directory the path by which this one reaches the directory */
export function startHolder(directory: string, temporary: string, witness: string, kind: Kind): Holder {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, '--', directory, witness, kind], {
    env: { PATH: process.env.PATH ?? '', TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const outcome = new Promise<string>((resolve) => {
    let said = '';
    child.stdout.on('data', (data) => {
      said += data;
      if (said.includes('\n')) resolve(said.trim());
    });
    void ended.then(() => resolve(said.trim() || 'nothing'));
  });
  return { kind, child, outcome, ended };
}
