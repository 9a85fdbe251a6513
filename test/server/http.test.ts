import { freshDatabase } from '../fresh-database.js';
import { accessSuite } from '../http/access.suite.js';
import { importSuite } from '../http/import.suite.js';
import { proofSuite } from '../http/proof.suite.js';
import { requestsSuite } from '../http/requests.suite.js';
import { memoryApiSuite } from '../http/suite.js';

memoryApiSuite('a PostgreSQL server', { DATABASE_URL: await freshDatabase() });
accessSuite('a PostgreSQL server', async () => ({ DATABASE_URL: await freshDatabase() }));
requestsSuite('a PostgreSQL server', async () => ({ DATABASE_URL: await freshDatabase() }));
proofSuite('a PostgreSQL server', async () => ({ DATABASE_URL: await freshDatabase() }));
importSuite('a PostgreSQL server', async () => ({ DATABASE_URL: await freshDatabase() }));
