import { managedSuite } from './managed.suite.js';
import { peopleSuite } from './people.suite.js';

peopleSuite('the embedded database', async () => ({}));
managedSuite('the embedded database', async () => ({}));
