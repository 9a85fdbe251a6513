/** Writes projections/search/scan-code.ts: npm run kernel. A test compares it with the source. */
import { writeFileSync } from 'node:fs';
import { kernelFile, kernelText } from './kernel/compile.js';

writeFileSync(kernelFile, await kernelText());
