/** Writes the generated pages of docs: npm run docs. A test fails until that was done. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/base/package-root.js';
import { references } from './docs/references.js';

for (const [path, write] of Object.entries(references)) writeFileSync(join(packageRoot, path), await write());
