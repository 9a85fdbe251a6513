import type { Transaction } from '../../src/adapters/database/database.js';
import { filesAfter } from './files.js';
import { fileFault } from './stored.js';

/** Files in memory at a time. */
const pageFiles = 20;

/** Finds a closed day whose file is missing, or is not the one that the entry of its close states. */
export async function closeFileFault(tx: Transaction): Promise<string | null> {
  let after = '';
  for (;;) {
    const page = await filesAfter(tx, after, pageFiles);
    for (const file of page) {
      const fault = fileFault(file);
      if (fault !== null) return fault;
      after = file.day;
    }
    if (page.length < pageFiles) return null;
  }
}
