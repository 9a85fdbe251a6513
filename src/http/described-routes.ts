import type { Described } from '../api/described.js';
import { routes } from '../api/operations.js';
import { accountRoutes } from './account.js';
import { logRoutes } from './log.js';
import { oidcRoutes } from './oidc.js';
import { operationRoutes } from './operation.js';
import { sessionRoutes } from './session.js';
import { verifyDescribed } from './verify.js';

/** Every route except the pages, as the description of the API names them. */
export const describedRoutes: readonly Described[] = [
  ...routes,
  verifyDescribed,
  ...logRoutes,
  ...sessionRoutes,
  ...accountRoutes,
  ...oidcRoutes,
  ...operationRoutes,
];
