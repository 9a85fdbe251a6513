import type { Page } from './page.js';
import { accessPages } from './sections/access.js';
import { memoryPages } from './sections/memories.js';
import { personPages } from './sections/person.js';
import { receiptPages } from './sections/receipts.js';
import { startPages } from './sections/start.js';
import { workspacePages } from './sections/workspace.js';

/** The pages for people, which the server makes at each request: a section of the navigation in each list. */
export const pages: readonly Page[] = [
  ...startPages,
  ...memoryPages,
  ...receiptPages,
  ...accessPages,
  ...workspacePages,
  ...personPages,
];
