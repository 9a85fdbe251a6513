import { freshDatabase } from '../fresh-database.js';
import { accessSuite } from '../http/access.suite.js';
import { admittedSuite } from '../http/admitted.suite.js';
import { agentsSuite } from '../http/agents.suite.js';

import { approvalsSuite } from '../http/approvals.suite.js';
import { availabilitySuite } from '../http/availability.suite.js';
import { bulkDeleteSuite } from '../http/bulk-delete.suite.js';

import { deliveriesSuite } from '../http/deliveries.suite.js';

import { importSuite } from '../http/import.suite.js';
import { isolationSuite } from '../http/isolation.suite.js';
import { managedSuite } from '../http/managed.suite.js';
import { membersSuite } from '../http/members.suite.js';
import { peopleSuite } from '../http/people.suite.js';
import { plansSuite } from '../http/plans.suite.js';
import { proofSuite } from '../http/proof.suite.js';
import { redactionSuite } from '../http/redaction.suite.js';
import { requestsSuite } from '../http/requests.suite.js';
import { rulesSuite } from '../http/rules.suite.js';
import { memoryApiSuite } from '../http/suite.js';
import { webhooksSuite } from '../http/webhooks.suite.js';

memoryApiSuite('a PostgreSQL server', { DATABASE_URL: await freshDatabase() });
accessSuite('a PostgreSQL server', async () => ({ DATABASE_URL: await freshDatabase() }));
agentsSuite('a PostgreSQL server', async () => ({ DATABASE_URL: await freshDatabase() }));
webhooksSuite('a PostgreSQL server', async () => ({ DATABASE_URL: await freshDatabase() }));
deliveriesSuite('a PostgreSQL server', async () => ({ DATABASE_URL: await freshDatabase() }));
admittedSuite('a PostgreSQL server', async () => ({ DATABASE_URL: await freshDatabase() }));
requestsSuite('a PostgreSQL server', async () => ({ DATABASE_URL: await freshDatabase() }));
proofSuite('a PostgreSQL server', async () => ({ DATABASE_URL: await freshDatabase() }));
peopleSuite('a PostgreSQL server', async () => ({ DATABASE_URL: await freshDatabase() }));
managedSuite('a PostgreSQL server', async () => ({ DATABASE_URL: await freshDatabase() }));
redactionSuite('a PostgreSQL server', async () => ({ DATABASE_URL: await freshDatabase() }));
rulesSuite('a PostgreSQL server', async () => ({ DATABASE_URL: await freshDatabase() }));
importSuite('a PostgreSQL server', async () => ({ DATABASE_URL: await freshDatabase() }));
membersSuite('a PostgreSQL server', async () => ({ DATABASE_URL: await freshDatabase() }));
approvalsSuite('a PostgreSQL server', async () => ({ DATABASE_URL: await freshDatabase() }));
bulkDeleteSuite('a PostgreSQL server', async () => ({ DATABASE_URL: await freshDatabase() }));
plansSuite('a PostgreSQL server', async () => ({ DATABASE_URL: await freshDatabase() }));
availabilitySuite('a PostgreSQL server', async () => ({ DATABASE_URL: await freshDatabase() }));
isolationSuite('a PostgreSQL server', async () => ({ DATABASE_URL: await freshDatabase() }));
