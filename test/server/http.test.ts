import { freshDatabase } from '../fresh-database.js';
import { accessSuite } from '../http/access.suite.js';
import { managedSuite } from '../http/managed.suite.js';
import { peopleSuite } from '../http/people.suite.js';
import { proofSuite } from '../http/proof.suite.js';
import { redactionSuite } from '../http/redaction.suite.js';
import { requestsSuite } from '../http/requests.suite.js';
import { rulesSuite } from '../http/rules.suite.js';
import { memoryApiSuite } from '../http/suite.js';

memoryApiSuite('a PostgreSQL server', { DATABASE_URL: await freshDatabase() });
accessSuite('a PostgreSQL server', async () => ({ DATABASE_URL: await freshDatabase() }));
requestsSuite('a PostgreSQL server', async () => ({ DATABASE_URL: await freshDatabase() }));
proofSuite('a PostgreSQL server', async () => ({ DATABASE_URL: await freshDatabase() }));
peopleSuite('a PostgreSQL server', async () => ({ DATABASE_URL: await freshDatabase() }));
managedSuite('a PostgreSQL server', async () => ({ DATABASE_URL: await freshDatabase() }));
redactionSuite('a PostgreSQL server', async () => ({ DATABASE_URL: await freshDatabase() }));
rulesSuite('a PostgreSQL server', async () => ({ DATABASE_URL: await freshDatabase() }));
