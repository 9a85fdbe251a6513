import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { operations } from '../../../src/api/operations.js';
import { packageRoot } from '../../../src/base/package-root.js';
import { describeApi } from '../../../src/http/openapi/document.js';
import type { ApiDocument } from '../../../src/http/openapi/shape.js';

/** Where the description of the API is kept, so that a change of the API is seen as one. */
export const openapiFile = join(packageRoot, 'contracts/openapi.yaml');

/** The description of the API as the routes have it now. */
export function apiDocument(): ApiDocument {
  const { version }: { version: string } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
  return describeApi(operations, version);
}

export function openapiText(): string {
  // Readers of YAML 1.1 would take what looks like a time or like yes for something else than text.
  return stringify(apiDocument(), { aliasDuplicateObjects: false, lineWidth: 120, compat: 'yaml-1.1' });
}
