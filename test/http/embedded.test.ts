import { accessSuite } from './access.suite.js';
import { memoryApiSuite } from './suite.js';

memoryApiSuite('the embedded database', {});
accessSuite('the embedded database', async () => ({}));
