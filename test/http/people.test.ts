import { managedSuite } from './managed.suite.js';
import { peopleSuite } from './people.suite.js';
import { rulesSuite } from './rules.suite.js';

peopleSuite('the embedded database', async () => ({}));
managedSuite('the embedded database', async () => ({}));
rulesSuite('the embedded database', async () => ({}));
