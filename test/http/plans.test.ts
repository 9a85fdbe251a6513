// @projects slow
import { availabilitySuite } from './availability.suite.js';
import { plansSuite } from './plans.suite.js';

plansSuite('the embedded database', async () => ({}));
availabilitySuite('the embedded database', async () => ({}));
