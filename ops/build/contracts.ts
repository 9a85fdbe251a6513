/** Writes contracts/anchor/CounterfoilAnchor.json: npm run contracts. Tests compare it with the source. */
import { writeFileSync } from 'node:fs';
import { artifactText } from './contracts/compile.js';
import { artifactFile } from './contracts/source.js';

writeFileSync(artifactFile, artifactText());
