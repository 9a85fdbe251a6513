import { afterAll, beforeAll, describe } from 'vitest';
import { conformance } from '../../../mcp/clients/conformance.suite.js';
import { type Desk, startDesk } from '../../../mcp/clients/desk.js';
import { frameworks } from '../../../mcp/clients/frameworks.suite.js';
import { sdks } from '../../../mcp/clients/sdk.suite.js';
import { sdkVersions } from '../../../mcp/clients/versions.suite.js';

/** All of them use one service. */
describe('clients that others have written', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await startDesk();
  });
  afterAll(() => desk.stop());
  const started = () => desk;

  describe('the official SDK for TypeScript', () => sdks(started));
  describe('the official SDKs of many versions', () => sdkVersions(started));
  describe('agent frameworks and the inspector', () => frameworks(started));
  describe('the official conformance suite', () => conformance(started));
});
