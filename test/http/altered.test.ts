import { alteredSuite } from './altered.suite.js';

alteredSuite('the embedded database', async () => ({}));
