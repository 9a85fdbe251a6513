// @projects slow
import { isolationSuite } from './isolation.suite.js';

isolationSuite('the embedded database', async () => ({}));
