import { importPage } from '../import/page.js';
import { addPage } from '../memories/add.js';
import { correctPage, deletePage, invalidatePage, promotePage, reinstatePage } from '../memories/changes.js';
import { memoriesPage } from '../memories/list.js';
import { memoryPage } from '../memories/one.js';
import { deleteSelectionPage } from '../memories/selection.js';
import { unusedPage } from '../memories/unused.js';
import { namespaceListPage } from '../namespaces/list.js';
import { oneNamespacePage } from '../namespaces/one.js';
import type { Page } from '../page.js';
import { playgroundPage } from '../playground/page.js';

export const memoryPages: readonly Page[] = [
  memoriesPage,
  deleteSelectionPage,
  addPage,
  unusedPage,
  playgroundPage,
  importPage,
  memoryPage,
  correctPage,
  invalidatePage,
  reinstatePage,
  promotePage,
  deletePage,
  namespaceListPage,
  oneNamespacePage,
];
