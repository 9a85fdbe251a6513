// @projects slow
import { managedSuite } from './managed.suite.js';
import { rulesSuite } from './rules.suite.js';

managedSuite('the embedded database', async () => ({}));
rulesSuite('the embedded database', async () => ({}));
