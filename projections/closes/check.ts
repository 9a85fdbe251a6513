import type { OnFault } from '../../src/base/faults.js';
import type { Transaction } from '../../src/database/database.js';
import { filesAfter } from './files.js';
import { fileFault } from './stored.js';

/** Files in memory at a time. */
const pageFiles = 20;

/** Finds closed days whose file is missing, or is not the one that the entry of its close states. */
export async function closeFileFaults(tx: Transaction, found: OnFault): Promise<void> {
  let after = '';
  for (;;) {
    const page = await filesAfter(tx, after, pageFiles);
    for (const file of page) {
      const fault = fileFault(file);
      if (fault !== null) found('close_files', fault);
      after = file.day;
    }
    if (page.length < pageFiles) return;
  }
}
