/** The last step of the build: see src/adapters/database/template.ts. */
import { makeTemplate } from '../../src/adapters/database/template.js';

await makeTemplate();
