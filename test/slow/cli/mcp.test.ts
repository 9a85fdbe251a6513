import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { listen } from '../../anchoring/http.js';
import { type Answering, type Given, type Received, startAnswering } from '../../cli/answering.js';
import { type McpProgram, startMcpProgram } from '../../cli/mcp-program.js';
import { quickDirectory } from '../../support/memory-disk.js';

const key = 'agk_of_the_tests';
let server: Answering;
let running: McpProgram[] = [];

beforeAll(async () => {
  server = await startAnswering();
});
afterEach(() => {
  for (const { child } of running) child.kill('SIGKILL');
  running = [];
  server.forget();
});
afterAll(() => server.close());

function start(env: Record<string, string> = {}, args: readonly string[] = []): McpProgram {
  const program = startMcpProgram({ COUNTERFOIL_URL: server.url, COUNTERFOIL_AGENT_KEY: key, ...env }, args);
  running.push(program);
  return program;
}

const request = (id: unknown, method: string, params?: object) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, ...(params ? { params } : {}) });
/** Answers each request with its method, and notifications with 202. */
const echo = ({ body }: Received): Given => {
  const { id, method } = JSON.parse(body);
  if (id === undefined) return { status: 202 };
  const result = method === 'initialize' ? { protocolVersion: '2025-06-18' } : { method };
  const headers: Record<string, string> = method === 'initialize' ? { 'mcp-session-id': 'run-7' } : {};
  return { headers, body: JSON.stringify({ jsonrpc: '2.0', id, result }) };
};
const refusing =
  (status: number, id?: null, code = -32000, message = 'refused') =>
  (): Given => ({
    status,
    body: JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data: { n: 1 } } }),
  });

/** The most memory that the program has held, in KiB. */
const peakOf = ({ child }: McpProgram) =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]);

describe('counterfoil mcp', () => {
  // @covers MCP-STDIO-SESSION
  it('sends the version and the run of a session with every message after initialize', async () => {
    server.respondWith(echo);
    const program = start();
    program.send(
      request(1, 'initialize', { protocolVersion: '2025-06-18' }),
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      request('a', 'tools/list', { _meta: { 'counterfoil/run': 'x' } }),
    );
    const { code, lines, err } = await program.end();
    expect([code, err]).toEqual([0, '']);
    expect(lines).toEqual([
      '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18"}}',
      '{"jsonrpc":"2.0","id":"a","result":{"method":"tools/list"}}',
    ]);
    const [first, ...later] = server.received;
    expect(first).toMatchObject({ path: 'POST /mcp', headers: { authorization: `Bearer ${key}` } });
    expect(first?.headers['content-type']).toBe('application/json');
    expect([first?.headers['mcp-protocol-version'], first?.headers['mcp-session-id']]).toEqual([undefined, undefined]);
    expect(later).toHaveLength(2);
    for (const { headers } of later) {
      expect([headers['mcp-protocol-version'], headers['mcp-session-id']]).toEqual(['2025-06-18', 'run-7']);
    }
    expect(server.received.map(({ body }) => body)).toContain(
      '{"jsonrpc":"2.0","id":"a","method":"tools/list","params":{"_meta":{"counterfoil/run":"x"}}}',
    );
  });

  // @covers MCP-STDIO-STATELESS
  it('sends the version, the method and the name of a stateless message as headers', async () => {
    server.respondWith(echo);
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'counterfoil/run': 'r' };
    const program = start();
    program.send(
      request(1, 'initialize'),
      request(2, 'server/discover', { _meta }),
      request(3, 'tools/call', { name: 'recall', arguments: { query: 'x' }, _meta }),
      request(4, 'prompts/get', { name: 'Frühling', _meta }),
      request(5, 'resources/read', { uri: 'memory://1', name: 'no', _meta }),
      request(6, 'tools/list', {}),
    );
    expect((await program.end()).lines).toHaveLength(6);
    const named = server.received
      .map(({ headers, body }) => [
        JSON.parse(body).id,
        headers['mcp-protocol-version'],
        headers['mcp-method'],
        headers['mcp-name'],
        headers['mcp-session-id'],
      ])
      .sort();
    expect(named).toEqual([
      [1, undefined, undefined, undefined, undefined],
      [2, '2026-07-28', 'server/discover', undefined, undefined],
      [3, '2026-07-28', 'tools/call', 'recall', undefined],
      [4, '2026-07-28', 'prompts/get', '=?base64?RnLDvGhsaW5n?=', undefined],
      [5, '2026-07-28', 'resources/read', 'memory://1', undefined],
      [6, '2025-06-18', undefined, undefined, 'run-7'],
    ]);
  });

  // @covers MCP-STDIO-LINES
  it('writes one line for each answer as it arrives, and sends several requests at once', async () => {
    let release: () => void = () => undefined;
    const after = new Promise<void>((resolve) => {
      release = resolve;
    });
    server.respondWith((one) => (JSON.parse(one.body).id === 1 ? { ...echo(one), after } : echo(one)));
    const program = start();
    program.send(request(1, 'slow'), '', '  \r', request(2, 'quick'));
    expect(JSON.parse(await program.line())).toMatchObject({ id: 2 });
    release();
    expect(JSON.parse(await program.line())).toMatchObject({ id: 1 });
    // An answer with line breaks is still one line, and its numbers are as they were written.
    server.respondWith(() => ({
      body: '{\n"jsonrpc": "2.0",\r\n"id": 3,\n"result": {"n": 1.50e3, "s": "a\\nb"}\n}\n',
    }));
    program.send(request(3, 'tools/list'));
    expect(await program.line()).toBe('{ "jsonrpc": "2.0", "id": 3, "result": {"n": 1.50e3, "s": "a\\nb"} } ');
    expect(await program.end()).toMatchObject({ code: 0, lines: [], err: '' });
  });

  // @covers MCP-STDIO-LINES
  it('passes on batches and what is not JSON, byte for byte', async () => {
    server.respondWith(({ body }) =>
      body.startsWith('[')
        ? { body: '[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"result":{}}]' }
        : { status: 400, body: '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"not JSON"}}' },
    );
    const program = start();
    program.send(`[${request(1, 'ping')}, ${request(2, 'ping')}]`);
    expect(JSON.parse(await program.line())).toHaveLength(2);
    program.send('{"id": 1, nonsense');
    expect(JSON.parse(await program.line())).toMatchObject({ id: null, error: { code: -32700 } });
    expect(server.received.map(({ body }) => body)).toEqual([
      `[${request(1, 'ping')}, ${request(2, 'ping')}]`,
      '{"id": 1, nonsense',
    ]);
  });

  // @covers MCP-STDIO-REFUSED
  it('answers a request that the service refuses unread with the id of that request', async () => {
    const program = start();
    for (const [status, id] of [[401, null], [401], [403], [413, null], [429], [503, null]] as const) {
      server.respondWith(refusing(status, id));
      program.send(request(status, 'ping'));
      expect(JSON.parse(await program.line())).toMatchObject({
        id: status,
        error: { code: -32000, message: 'refused' },
      });
    }
    program.send(
      request(12345678901234567890n.toString(), 'ping').replaceAll('"12345678901234567890"', '12345678901234567890'),
    );
    expect(await program.line()).toBe(
      '{"jsonrpc":"2.0","id":12345678901234567890,"error":{"code":-32000,"message":"refused","data":{"n":1}}}',
    );
    program.send(
      `[${request('a', 'ping')},{"jsonrpc":"2.0","method":"notifications/initialized"},${request(1.5, 'ping')}]`,
    );
    expect(JSON.parse(await program.line())).toMatchObject([{ id: 'a', error: { code: -32000 } }, { id: 1.5 }]);
    program.send('{"jsonrpc":"2.0","method":"notifications/initialized"}', '{"jsonrpc":"2.0","id":9,"result":{}}');
    expect((await program.end()).lines).toEqual([]);
  });

  // @covers MCP-STDIO-UNREACHABLE
  it('answers each request while the service cannot be reached, and continues when it can', async () => {
    const other = await listen(createServer((_, response) => response.end('{"jsonrpc":"2.0","id":2,"result":{}}')));
    const port = Number(new URL(other.url).port);
    await other.close();
    const program = start({ COUNTERFOIL_URL: `http://127.0.0.1:${port}/` });
    program.send('{"jsonrpc":"2.0","method":"notifications/initialized"}', request(1, 'initialize'), 'nonsense');
    for (const id of [1, null]) {
      const { error, ...line } = JSON.parse(await program.line());
      expect([line.id, error.code]).toEqual([id, -32000]);
      expect(error.message).toBe(`http://127.0.0.1:${port}/mcp did not answer: it cannot be reached (ECONNREFUSED).`);
    }
    const again = createServer((_, response) => response.end('{"jsonrpc":"2.0","id":2,"result":{}}'));
    await new Promise<void>((resolve) => again.listen(port, '127.0.0.1', resolve));
    program.send(request(2, 'ping'));
    expect(JSON.parse(await program.line())).toEqual({ jsonrpc: '2.0', id: 2, result: {} });
    again.closeAllConnections();
    again.close();
  });

  // @covers MCP-STDIO-UNREACHABLE
  it('answers a request when something else answers at the address', async () => {
    const answers: [number, string, string][] = [
      [502, '<html>', 'answered 502, and not as an MCP server does. Is the address right?'],
      [200, '{"hello":"world"}', 'answered 200, and not as an MCP server does. Is the address right?'],
      [503, '{"error":{"code":"not_ready","message":"Retry shortly."}}', 'answered 503: Retry shortly.'],
    ];
    const program = start();
    for (const [status, body, sentence] of answers) {
      server.respondWith(() => ({ status, body }));
      program.send(request(status, 'ping'));
      expect(JSON.parse(await program.line())).toEqual({
        jsonrpc: '2.0',
        id: status,
        error: { code: -32000, message: `${server.url}/mcp ${sentence}` },
      });
    }
  });

  // @covers MCP-STDIO-BOUNDED
  it('answers a line of more than 8 MiB without holding it, and reads the next one', async () => {
    server.respondWith(echo);
    const most = 8 * 1024 * 1024;
    const padded = (bytes: number, start: string, end: string) =>
      `${start}${'x'.repeat(bytes - start.length - end.length)}${end}`;
    const program = start();
    program.send(padded(most, '{"jsonrpc":"2.0","id":1,"method":"m","params":"', '"}'));
    expect(JSON.parse(await program.line())).toMatchObject({ id: 1, result: {} });
    const tooLong: [string, string, unknown][] = [
      ['{"jsonrpc":"2.0", "id" : "a\\"b" ,"method":"m","params":"', '"}', 'a"b'],
      ['{"method":"m","params":{"s":"', '"},"jsonrpc":"2.0","id":-7}', -7],
      ['{"method":"m","params":{"s":"', '","id":7}}', null],
      ['[{"method":"m","params":"', '","id":7}]', null],
    ];
    for (const [start, end, id] of tooLong) {
      program.send(padded(most + 1, start, end));
      expect(JSON.parse(await program.line())).toEqual({
        jsonrpc: '2.0',
        id,
        error: { code: -32000, message: `A message may have at most ${most} bytes.` },
      });
    }
    const before = server.received.length;
    const peakBefore = peakOf(program);
    for (let i = 0; i < 30; i += 1) program.child.stdin.write('x'.repeat(most));
    program.send('', request(2, 'ping'));
    expect(JSON.parse(await program.line())).toMatchObject({ id: null, error: { code: -32000 } });
    expect(JSON.parse(await program.line())).toMatchObject({ id: 2 });
    expect(server.received.length).toBe(before + 1);
    expect(peakOf(program) - peakBefore).toBeLessThan(100 * 1024);
  });

  // @covers MCP-STDIO-KEY
  it('ends with 2 and one sentence without a usable key or address, and takes both from options', async () => {
    const directory = quickDirectory();
    const file = join(directory, 'key');
    writeFileSync(file, 'agk_of_a_file\n');
    const failing: [Record<string, string>, string[], RegExp][] = [
      [{ COUNTERFOIL_AGENT_KEY: '' }, [], /^Give an agent key \(agk_…\) in COUNTERFOIL_AGENT_KEY.*\n$/],
      [{ COUNTERFOIL_AGENT_KEY: 'agk_a b' }, [], /^Give an agent key [^b]*\n$/],
      [{}, ['--key-file', join(directory, 'none')], /^--key-file cannot be read: ENOENT.*\n$/],
      [{ COUNTERFOIL_URL: 'ftp://x' }, [], /^--url or COUNTERFOIL_URL must be the http or https address.*\n$/],
      [{ COUNTERFOIL_URL: 'http://user:secret@x' }, [], /^--url or COUNTERFOIL_URL (?!.*secret).*\n$/],
    ];
    for (const [env, args, sentence] of failing) {
      const { code, lines, err } = await start(env, args).end();
      expect([code, lines]).toEqual([2, []]);
      expect(err).toMatch(sentence);
    }
    server.respondWith(echo);
    const program = start({ COUNTERFOIL_URL: 'http://127.0.0.1:1' }, [
      '--key-file',
      file,
      '--url',
      `${server.url}/mcp`,
    ]);
    program.send(request(1, 'ping'));
    expect(JSON.parse(await program.line())).toMatchObject({ id: 1, result: {} });
    expect(server.received[0]).toMatchObject({ path: 'POST /mcp', headers: { authorization: 'Bearer agk_of_a_file' } });
    rmSync(directory, { recursive: true });
  });

  // @covers MCP-STDIO-END
  it('finishes what is in flight at the end of the input, and ends quietly when no one reads its answers', async () => {
    server.respondWith((one) => ({ ...echo(one), after: new Promise((resolve) => setTimeout(resolve, 300)) }));
    const program = start();
    program.send(request(1, 'a'));
    program.child.stdin.write(request(2, 'b'));
    const { code, lines, err } = await program.end();
    expect([code, lines.length, err]).toEqual([0, 2, '']);

    const unread = start();
    let said = '';
    unread.child.stderr.on('data', (data) => {
      said += data;
    });
    unread.child.stdout.destroy();
    unread.send(request(1, 'a'));
    expect(await new Promise((resolve) => unread.child.once('exit', resolve))).toBe(0);
    expect(said).toBe('');
  });
});
