// @projects slow
import { approvalsSuite } from './approvals.suite.js';
import { bulkDeleteSuite } from './bulk-delete.suite.js';

approvalsSuite('the embedded database', async () => ({}));
bulkDeleteSuite('the embedded database', async () => ({}));
