// @projects slow
import { rulesOfJobsSuite } from './rules-of-jobs.suite.js';
import { rulesOfMemoriesSuite } from './rules-of-memories.suite.js';
import { rulesOfSearchesSuite } from './rules-of-searches.suite.js';
import { rulesOfWorkspacesSuite } from './rules-of-workspaces.suite.js';

rulesOfMemoriesSuite('the embedded database', async () => ({}));
rulesOfSearchesSuite('the embedded database', async () => ({}));
rulesOfJobsSuite('the embedded database', async () => ({}));
rulesOfWorkspacesSuite('the embedded database', async () => ({}));
