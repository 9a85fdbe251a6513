import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../../src/base/package-root.js';
import { type Listening, listen } from '../../anchoring/http.js';
import type { Desk } from './desk.js';
import { node22, runIn } from './run-client.js';

/** A server that adds the credential, which the suite cannot send. Host and Origin arrive as the suite sends them, but for the port. */
const startRelay = ({ url, key }: Desk): Promise<Listening> =>
  listen(
    createServer((from, to) => {
      const { url: path, method } = from;
      const { port } = new URL(url);
      // The port of the relay takes the role of that of the service. Any other host is as the suite has sent it.
      const host = from.headers.host?.replace(`:${from.socket.localPort}`, `:${port}`) ?? '';
      const headers = { ...from.headers, host, authorization: `Bearer ${key}` };
      from.pipe(
        request({ host: '127.0.0.1', port, path, method, headers }, (answer) => {
          to.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(to);
        }),
      );
    }),
  );

/** The official conformance suite, two versions of it. */
export const conformance = (desk: () => Desk) => {
  // @covers MCP-CONFORMANCE
  it.each([
    ['stable', ['--suite', 'all'], 10],
    ['alpha', ['--requirements', '2025-11-25'], 10],
    ['alpha', ['--requirements', '2026-07-28'], 13],
  ])('%s %j passes, except for what test/mcp/conformance.yml names', async (version, which, atLeast) => {
    const relay = await startRelay(desk());
    const { code, out, err } = await runIn(node22(), [
      `node_modules/conformance-${version}/dist/index.js`,
      ...['server', '--url', `${relay.url}/mcp`, ...which],
      ...['--expected-failures', join(packageRoot, 'test/mcp/conformance.yml')],
    ]);
    await relay.close();
    const summary = out.slice(out.indexOf('=== SUMMARY ==='));
    expect(code, summary + err).toBe(0);
    expect(summary.match(/^✓/gm)?.length, summary).toBeGreaterThanOrEqual(atLeast);
  });
};
