// @projects slow
import { deliveriesSuite } from './deliveries.suite.js';

deliveriesSuite('the embedded database', async () => ({}));
