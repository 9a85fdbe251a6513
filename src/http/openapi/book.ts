import { agents } from './examples/agents.js';
import { governance } from './examples/governance.js';
import { ingest } from './examples/ingest.js';
import { memories } from './examples/memories.js';
import { namespaces } from './examples/namespaces.js';
import { operation } from './examples/operation.js';
import { receipts } from './examples/receipts.js';
import { workspaces } from './examples/workspace.js';
import type { Book } from './told.js';

/** What is told of every operation; a test says which one is missing. */
export const book: Book = {
  ...memories,
  ...ingest,
  ...namespaces,
  ...governance,
  ...agents,
  ...workspaces,
  ...receipts,
  ...operation,
};
