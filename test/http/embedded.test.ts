import { accessSuite } from './access.suite.js';
import { requestsSuite } from './requests.suite.js';
import { memoryApiSuite } from './suite.js';

memoryApiSuite('the embedded database', {});
accessSuite('the embedded database', async () => ({}));
requestsSuite('the embedded database', async () => ({}));
