import { membersSuite } from './members.suite.js';
import { peopleSuite } from './people.suite.js';

peopleSuite('the embedded database', async () => ({}));
membersSuite('the embedded database', async () => ({}));
