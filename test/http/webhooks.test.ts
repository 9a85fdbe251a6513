// @projects slow
import { admittedSuite } from './admitted.suite.js';
import { webhooksSuite } from './webhooks.suite.js';

webhooksSuite('the embedded database', async () => ({}));
admittedSuite('the embedded database', async () => ({}));
