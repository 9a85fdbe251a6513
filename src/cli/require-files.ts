import { fileLimit } from '../base/file-limit.js';

/** With fewer, the modules of a service cannot be read, and no connection is left beside the files of the store. */
const leastFiles = 256;

/** Ends the process with a sentence when it may have too few files open for a service or a command on its store. */
export function requireFiles(): void {
  const files = fileLimit();
  if (files >= leastFiles) return;
  console.error(
    `counterfoil: This process may have only ${files} files open, and needs ${leastFiles}, better 4096. Run ulimit -n 4096 before it, or set LimitNOFILE of the unit.`,
  );
  process.exit(1);
}
