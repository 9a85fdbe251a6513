import { readFileSync } from 'node:fs';

/** A process of this machine. */
export interface Measured {
  readonly pid?: number | undefined;
}

/** The memory of a process in MiB. NaN where the system does not say it, and of a process that has ended. */
export const residentMb = ({ pid }: Measured): number => memoryMb(pid, 'VmRSS');

/** The most memory that a process has held, in MiB. NaN as above. */
export const peakMb = ({ pid }: Measured): number => memoryMb(pid, 'VmHWM');

/** The processor time in seconds that a process has used, which other load of the machine changes little. NaN as above. */
export function processorSeconds({ pid }: Measured): number {
  const text = read(`/proc/${pid}/stat`);
  // The name of the program is in brackets and may have spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function memoryMb(pid: number | undefined, what: string): number {
  const [, kib] = new RegExp(`^${what}:\\s+(\\d+) kB`, 'm').exec(read(`/proc/${pid}/status`)) ?? [];
  return Math.round(Number(kib) / 1024);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
