import { agentsSuite } from './agents.suite.js';

agentsSuite('the embedded database', async () => ({}));
