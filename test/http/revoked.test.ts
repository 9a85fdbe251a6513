import { revokedSuite } from './revoked.suite.js';

revokedSuite('the embedded database', async () => ({}));
