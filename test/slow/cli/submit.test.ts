import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { submit } from '../../../src/cli/submit/submit.js';
import { listen } from '../../anchoring/http.js';
import { bare, main } from '../../faults/service-process.js';
import { administration } from '../../http/keys.js';
import { type Service, startService } from '../../http/service.js';
import { taskReceipt } from '../../http/task-receipt.js';
import { quickDirectory } from '../../support/memory-disk.js';

const root = quickDirectory();
const file = (name: string) => join(root, name);
const line = (more: Readonly<Record<string, unknown>> = {}) => JSON.stringify(taskReceipt(more));

let service: Service;
let admin: ReturnType<typeof administration>;
beforeAll(async () => {
  service = await startService();
  admin = administration(service);
});
afterAll(async () => {
  await service.stop();
  rmSync(root, { recursive: true, force: true });
});

const progress = { report: () => undefined, stop: () => undefined };

async function submitted(path: string, key: string, options: object = {}, stdin: string | Uint8Array = '') {
  const said: string[] = [];
  const say = (text: string) => said.push(text);
  const terminal = {
    out: say,
    err: say,
    stdin: (async function* () {
      yield stdin;
    })(),
  };
  const url = service.app.server.listeningOrigin;
  const code = await submit(path, { url, key, ...options }, terminal, progress);
  return { code, said: said.join('\n') };
}

async function recorded(key: string): Promise<{ receipt_id: string }[]> {
  const headers = { authorization: `Bearer ${key}` };
  const found = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { json } = await service.call('GET', `/v1/receipts?kind=task&limit=100${query}`, undefined, headers);
    found.push(...json.data);
    cursor = json.next_cursor;
  }
  return found;
}

const refusedLines = (path: string) =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text));

describe('a file of receipts', () => {
  // @covers SUBMIT-LINES
  it('is submitted in the order of its lines, no matter what its line ends are, and again as duplicates', async () => {
    const { key } = await admin.workspace();
    const lines = Array.from({ length: 250 }, (_, i) => line({ n: i }));
    writeFileSync(file('all'), `\ufeff${lines.slice(0, 120).join('\r\n')}\r\n\n  \n${lines.slice(120).join('\n')}`);
    expect(await submitted(file('all'), key)).toEqual({
      code: 0,
      said: 'Recorded: 250. Already there: 0. Refused: 0.',
    });
    const ids = lines.map((text) => JSON.parse(text).receipt_id);
    expect((await recorded(key)).map(({ receipt_id: id }) => id).reverse()).toEqual(ids);
    expect(await submitted(file('all'), key)).toEqual({
      code: 0,
      said: 'Recorded: 0. Already there: 250. Refused: 0.',
    });
    expect(await submitted('-', key, {}, lines[0])).toEqual({
      code: 0,
      said: 'Recorded: 0. Already there: 1. Refused: 0.',
    });
    expect([existsSync(file('all.submit-state.json')), existsSync(file('all.refused.jsonl'))]).toEqual([false, false]);
  });

  it('may be empty', async () => {
    const { key } = await admin.workspace();
    writeFileSync(file('empty'), '');
    expect(await submitted(file('empty'), key)).toEqual({
      code: 0,
      said: 'Recorded: 0. Already there: 0. Refused: 0.',
    });
  });

  // @covers SUBMIT-REFUSED
  it('has its wrong lines in a file with their reasons, and all other lines recorded', async () => {
    const { key } = await admin.workspace();
    const first = line();
    const lines = [
      first,
      '{"receipt_id":',
      line({ status: 'done' }),
      line({ hash: 'mine' }),
      JSON.stringify({ ...JSON.parse(first), status: 'error' }),
      line({ n: 'x'.repeat(70_000) }),
      'x'.repeat(1_100_000),
      `{"a":1,"a":2,${line().slice(1)}`,
      line({ started_at: '2026-01-15T12:00:00Z' }),
      line(),
    ];
    writeFileSync(file('wrong'), lines.join('\n'));
    const { code, said } = await submitted(file('wrong'), key);
    expect(code).toBe(1);
    expect(said).toContain('Recorded: 2. Already there: 0. Refused: 8');
    expect(said).toContain(`in ${file('wrong.refused.jsonl')}`);
    const refused = refusedLines(file('wrong.refused.jsonl'));
    expect(refused.map((one) => [one.line, one.code])).toEqual([
      [2, 'invalid_json'],
      [3, 'invalid_receipt'],
      [4, 'server_assigned_field'],
      [5, 'receipt_conflict'],
      [6, 'receipt_too_large'],
      [7, 'receipt_too_large'],
      [8, 'invalid_json'],
      [9, 'invalid_receipt'],
    ]);
    expect(refused[1]).toMatchObject({ text: lines[2], issues: [{ path: 'status' }] });
    expect(refused[5]).toMatchObject({ cut: true, text: 'x'.repeat(1000) });
    expect(await recorded(key)).toHaveLength(2);
  });

  // @covers SUBMIT-RESUME
  it('that is killed anywhere is continued: no line is lost, and none is recorded or refused twice', async () => {
    const { key } = await admin.workspace();
    const lines = Array.from({ length: 4000 }, (_, i) => (i % 97 === 5 ? line({ status: `no ${i}` }) : line({ n: i })));
    const wrong = lines.filter((text) => text.includes('"no ')).length;
    writeFileSync(file('many'), lines.join('\n'));
    const env = { ...bare, COUNTERFOIL_API_KEY: key };
    const run = (killAfterMs?: number) =>
      new Promise<{ code: number | null; said: string }>((resolve) => {
        const url = service.app.server.listeningOrigin;
        const child = spawn(process.execPath, [main, 'submit', file('many'), '--url', url], { env, cwd: root });
        let said = '';
        child.stdout.on('data', (data) => {
          said += data;
        });
        if (killAfterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfterMs);
        child.once('close', (code) => resolve({ code, said }));
      });
    let killed = 0;
    for (let after = 300; killed < 6; after += 130) {
      const { code } = await run(after);
      if (code !== null) break;
      killed += 1;
    }
    expect(killed).toBeGreaterThan(1);
    const { code, said } = await run();
    expect(code).toBe(1);
    expect(said).toContain(`Refused: ${wrong} (invalid_receipt ${wrong}).`);
    expect(await recorded(key)).toHaveLength(4000 - wrong);
    expect(refusedLines(file('many.refused.jsonl')).map((one) => one.line)).toEqual(
      lines.flatMap((text, at) => (text.includes('"no ') ? at + 1 : [])),
    );
    expect(existsSync(file('many.submit-state.json'))).toBe(false);
  });
});

// @covers SUBMIT-RESUME
it('a submission continues behind the last batch that was answered, and cuts refusals that are not of lines before', async () => {
  const { key } = await admin.workspace();
  const lines = Array.from({ length: 150 }, (_, i) => (i === 3 ? '{' : line({ n: i })));
  writeFileSync(file('cut'), lines.join('\n'));
  let asked = 0;
  const ending = await listen(
    createServer((request, response) => {
      asked += 1;
      const data = Array.from({ length: 99 }, () => ({ duplicate: false }));
      const refused = { error: { code: 'unauthorized', message: 'The key has ended.' } };
      const [status, answer] = asked === 1 ? [201, { data }] : [401, refused];
      request.resume().on('end', () => response.writeHead(status).end(JSON.stringify(answer)));
    }),
  );
  expect((await submitted(file('cut'), 'ak_any', { url: ending.url })).code).toBe(2);
  await ending.close();
  const state = JSON.parse(readFileSync(file('cut.submit-state.json'), 'utf8'));
  expect(state).toMatchObject({ line: 101, recorded: 99, refused: { invalid_json: 1 } });
  // A kill after the refusals of a batch were written, and before its state was.
  appendFileSync(file('cut.refused.jsonl'), '{"line":140,"code":"of a batch that is sent again"}\n');
  const url = service.app.server.listeningOrigin;
  writeFileSync(file('cut.submit-state.json'), JSON.stringify({ ...state, url }));
  expect(await submitted(file('cut'), key)).toMatchObject({
    code: 1,
    said: expect.stringContaining('Recorded: 149. Already there: 0. Refused: 1 (invalid_json 1).'),
  });
  expect(await recorded(key)).toHaveLength(50);
  expect(refusedLines(file('cut.refused.jsonl')).map((one) => one.line)).toEqual([4]);
});

describe('a submission ends with 2 and a sentence', () => {
  // @covers SUBMIT-EXIT
  it('when it cannot run, or every receipt would be refused, and continues when that has changed', async () => {
    const { key } = await admin.workspace();
    writeFileSync(file('one'), line());
    expect(await submitted(file('absent'), key)).toMatchObject({ code: 2, said: expect.stringContaining('ENOENT') });
    expect(await submitted(root, key)).toMatchObject({ code: 2, said: expect.stringContaining('is not a file') });
    const wrongKey = await submitted(file('one'), 'ak_wrong');
    expect(wrongKey).toMatchObject({ code: 2, said: expect.stringContaining('unauthorized') });
    expect(await submitted('-', key, { state: file('x') })).toMatchObject({ code: 2 });
    expect(await submitted(file('one'), key)).toMatchObject({ code: 0 });
  });

  // @covers SUBMIT-EXIT
  it('when its state is of another file or service', async () => {
    const { key } = await admin.workspace();
    writeFileSync(file('a'), `${line()}\n${line()}`);
    const url = service.app.server.listeningOrigin;
    const state = {
      format: 'counterfoil-submit/1',
      url,
      line: 2,
      offset: 10,
      fingerprint: 'other',
      refused_bytes: 0,
      recorded: 1,
      duplicates: 0,
      refused: {},
    };
    for (const [wrong, sentence] of [
      [state, 'with another file'],
      [{ ...state, url: 'http://elsewhere' }, 'with the service http://elsewhere'],
      [{}, 'is not the state of a submission'],
    ] as const) {
      writeFileSync(file('a.submit-state.json'), JSON.stringify(wrong));
      expect(await submitted(file('a'), key)).toMatchObject({ code: 2, said: expect.stringContaining(sentence) });
    }
  });

  // @covers SUBMIT-EXIT
  it.each([
    ['asks for a day', 429, '{}', { 'retry-after': '86400' }, 'after 86400 s'],
    ['is another service', 200, '<html>', {}, 'not as Counterfoil does'],
    ['answers fewer receipts', 201, '{"data":[]}', {}, 'answered 0 receipts, and 1 were sent'],
  ])('when the service %s', async (_name, status, body, headers, sentence) => {
    const other = await listen(createServer((_request, response) => response.writeHead(status, headers).end(body)));
    writeFileSync(file('single'), line());
    const result = await submitted(file('single'), 'ak_any', { url: other.url });
    await other.close();
    expect(result).toMatchObject({ code: 2, said: expect.stringContaining(sentence) });
  });

  // @covers SUBMIT-EXIT
  it('but waits for a service that asks to be waited for', async () => {
    let asked = 0;
    const busy = await listen(
      createServer((request, response) => {
        asked += 1;
        request.resume().on('end', () => {
          if (asked < 3) response.writeHead(asked === 1 ? 429 : 503, { 'retry-after': '0' }).end('{}');
          else response.writeHead(201).end('{"data":[{"duplicate":false}]}');
        });
      }),
    );
    writeFileSync(file('busy'), line());
    const result = await submitted(file('busy'), 'ak_any', { url: busy.url });
    await busy.close();
    expect([asked, result]).toEqual([3, { code: 0, said: 'Recorded: 1. Already there: 0. Refused: 0.' }]);
  });
});
