/** Makes what new embedded stores are copied from: see src/database/template.ts and src/maintenance/store-template.ts. */
import { makeTemplate } from '../../src/database/template.js';
import { makeStoreTemplate } from '../../src/maintenance/store-template.js';

await makeTemplate();
await makeStoreTemplate();
