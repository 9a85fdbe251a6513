import { freshDatabase } from '../fresh-database.js';
import { memoryApiSuite } from '../http/suite.js';

memoryApiSuite('a PostgreSQL server', { DATABASE_URL: await freshDatabase() });
