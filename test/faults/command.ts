import { execFile } from 'node:child_process';
import { bare, program } from './service-process.js';

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command of the command line to its end. */
export function command(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [...program, ...args], { env: { ...bare, ...env } }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}
