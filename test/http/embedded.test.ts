import { memoryApiSuite } from './suite.js';

memoryApiSuite('the embedded database', {});
