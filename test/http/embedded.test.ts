import { accessSuite } from './access.suite.js';
import { proofSuite } from './proof.suite.js';
import { redactionSuite } from './redaction.suite.js';
import { refusalsSuite } from './refusals.suite.js';
import { requestsSuite } from './requests.suite.js';
import { memoryApiSuite } from './suite.js';

memoryApiSuite('the embedded database', {});
accessSuite('the embedded database', async () => ({}));
requestsSuite('the embedded database', async () => ({}));
proofSuite('the embedded database', async () => ({}));
redactionSuite('the embedded database', async () => ({}));
refusalsSuite('the embedded database', async () => ({}));
