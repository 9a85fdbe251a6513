/** Writes contracts/openapi.yaml: npm run openapi. A test says when that was forgotten. */
import { writeFileSync } from 'node:fs';
import { openapiFile, openapiText } from './developers/openapi-file.js';

writeFileSync(openapiFile, openapiText());
