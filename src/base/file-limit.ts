import { readFileSync } from 'node:fs';

/** The default limit of most systems. Node raises its own limit to the highest allowed value. */
const usual = 1024;

/** The number of files and sockets that this process may have open. If the system does not say, the usual limit. */
export function fileLimit(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? usual : Number(soft);
  } catch {
    return usual;
  }
}
