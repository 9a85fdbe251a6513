/** The last step of the build: see src/database/template.ts. */
import { makeTemplate } from '../../src/database/template.js';

await makeTemplate();
