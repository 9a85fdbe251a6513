import { memoryApiSuite } from '../http/suite.js';
import { freshDatabase } from './fresh-database.js';

memoryApiSuite('a PostgreSQL server', { DATABASE_URL: await freshDatabase() });
