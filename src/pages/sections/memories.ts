import { importPage } from '../import/page.js';
import { addPage } from '../memories/add.js';
import { correctPage, deletePage, invalidatePage, reinstatePage } from '../memories/changes.js';
import { memoriesPage } from '../memories/list.js';
import { memoryPage } from '../memories/one.js';
import { deleteSelectionPage } from '../memories/selection.js';
import { namespaceListPage } from '../namespaces/list.js';
import { oneNamespacePage } from '../namespaces/one.js';
import type { Page } from '../page.js';

export const memoryPages: readonly Page[] = [
  memoriesPage,
  deleteSelectionPage,
  addPage,
  importPage,
  memoryPage,
  correctPage,
  invalidatePage,
  reinstatePage,
  deletePage,
  namespaceListPage,
  oneNamespacePage,
];
