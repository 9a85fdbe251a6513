import { apiReference } from './api.js';
import { cliReference } from './cli.js';
import { dashboard } from './dashboard.js';
import { entryFolds } from './entry-folds.js';
import { entryKindReference } from './entry-kinds.js';
import { errorReference } from './errors.js';
import { limitReference } from './limits.js';
import { mcpReference } from './mcp.js';
import { methodologyFile, methodologyPage } from './methodology/page.js';
import { metricReference } from './metrics.js';
import { settingReference } from './settings.js';
import { versionedFiles, versionReference } from './versions.js';

/** The pages that are generated as a whole or in part, by their paths from the root. */
export const references: Readonly<Record<string, () => string | Promise<string>>> = {
  [methodologyFile]: methodologyPage,
  'docs/internals/entry-folds.md': entryFolds,
  'docs/reference/api.md': apiReference,
  'docs/reference/cli.md': cliReference,
  'docs/reference/entry-kinds.md': entryKindReference,
  'docs/reference/errors.md': errorReference,
  'docs/reference/limits.md': limitReference,
  'docs/reference/mcp.md': mcpReference,
  'docs/reference/metrics.md': metricReference,
  'docs/reference/settings.md': settingReference,
  'docs/reference/versions.md': versionReference,
  'ops/monitoring/dashboard.json': dashboard,
  ...versionedFiles,
};
