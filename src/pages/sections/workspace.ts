import { operationsPage } from '../operations/page.js';
import type { Page } from '../page.js';
import { peoplePage } from '../people/list.js';
import { onePersonPage } from '../people/one.js';
import { rulesPage } from '../rules/page.js';
import { memoryFilePage, receiptFilePage } from '../settings/exports.js';
import { settingsPage } from '../settings/page.js';

export const workspacePages: readonly Page[] = [
  rulesPage,
  peoplePage,
  onePersonPage,
  settingsPage,
  memoryFilePage,
  receiptFilePage,
  operationsPage,
];
