import { approvalsPage } from '../approvals/list.js';
import { approvalPage } from '../approvals/one.js';
import type { Page } from '../page.js';
import { erasePage } from '../receipts/erase.js';
import { receiptsPage } from '../receipts/list.js';
import { receiptPage } from '../receipts/one.js';
import { queryPage } from '../receipts/query.js';

/** The receipts of what was done, and the requests for what waits for a decision. */
export const receiptPages: readonly Page[] = [
  receiptsPage,
  receiptPage,
  erasePage,
  queryPage,
  approvalsPage,
  approvalPage,
];
