import { readFileSync } from 'node:fs';

/** What most systems allow a process that did not ask for more. Node raises its own limit to the highest allowed. */
const usual = 1024;

/** How many files, sockets included, this process may have open at once. Where the system does not say, the usual number. */
export function fileLimit(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? usual : Number(soft);
  } catch {
    return usual;
  }
}
