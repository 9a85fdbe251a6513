import { entryFile, memoryFile } from '../../api/export-file.js';
import type { PersonPage } from '../page.js';

const type = 'application/x-ndjson';

/** Every memory as one file, for an import elsewhere. */
export const memoryFilePage: PersonPage = {
  path: '/settings/memories.jsonl',
  access: 'a person',
  ofMemoryApi: true,
  async show({ visitor: { caller }, client }, parts) {
    return { file: 'memories.jsonl', type, parts: await memoryFile({ caller, client }, parts) };
  },
};

/** Every entry of the ledger as one file. */
export const receiptFilePage: PersonPage = {
  path: '/settings/receipts.jsonl',
  access: 'a person',
  async show({ visitor: { caller }, client }, parts) {
    return { file: 'receipts.jsonl', type, parts: await entryFile({ caller, client }, parts) };
  },
};
