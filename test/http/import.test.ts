// @projects slow
import { importSuite } from './import.suite.js';

importSuite('the embedded database', async () => ({}));
