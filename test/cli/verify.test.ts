import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/base/package-root.js';
import { type VerifyOptions, verify } from '../../src/cli/verify.js';
import { canonicalBytes } from '../../src/ledger/chain.js';
import { bundleLimits } from '../../src/verifier/bundle.js';
import { toBase64, toHex, toUtf8 } from '../../src/verifier/bytes.js';
import { formatVerifierKey } from '../../src/verifier/note.js';
import { easyTarget } from '../anchoring/bitcoin.js';
import { type BundleJson, createLog, encode } from '../verifier/bundles.js';
import { taskBundle } from '../verifier/task-bundles.js';

const directory = mkdtempSync(join(tmpdir(), 'counterfoil-verify-'));
const servers: Server[] = [];
afterAll(() => {
  rmSync(directory, { recursive: true, force: true });
  for (const server of servers) server.close();
});

const log = await createLog('log.example/1', 'cli');
const bundle = await log.bundle();
const vkey = formatVerifierKey(log.keys[0]);
const hash = log.entries(0)[1]?.hash ?? '';

function file(name: string, content: string | Uint8Array): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

const written = file('bundle.json', encode(bundle));
const headers = file('headers.json', JSON.stringify({ 1: toHex(log.chain.block(1)?.header ?? new Uint8Array()) }));

async function run(path: string, options: Partial<VerifyOptions> = {}, colour = false, typed: Uint8Array[] = []) {
  const [out, err]: [string[], string[]] = [[], []];
  const stdin = (async function* () {
    yield* typed;
  })();
  const terminal = { stdin, colour, out: (text: string) => out.push(text), err: (text: string) => err.push(text) };
  const code = await verify(path, { key: [], ...options }, terminal, () => easyTarget);
  return { code, out: out.join('\n'), err: err.join('\n') };
}

/** A server of headers that gives this header for block 1, below the hash of another one. @param status 0 for the right hash */
async function esplora(status: number, header: string): Promise<string> {
  const server = createServer((request, response) => {
    response.statusCode = status === 0 ? 200 : status;
    const hash = createHash('sha256').update(createHash('sha256').update(header, 'hex').digest()).digest().reverse();
    response.end(request.url?.endsWith('/header') ? header : status === 0 ? hash.toString('hex') : '0'.repeat(64));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  servers.push(server);
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return `http://127.0.0.1:${address.port}/secret`;
}

describe('counterfoil verify', () => {
  it('prints each claim with its state, and what was not checked', async () => {
    const { code, out } = await run(written);
    expect(code).toBe(0);
    expect(out).toMatch(/^Receipt rcp_\w+, memory\.write, recorded at 2026-01-01T00:00:02\.000Z$/m);
    expect(out).toMatch(/^entry {11}verified {5}The entry is whole/m);
    expect(out).toMatch(/^checkpoint {6}not checked {2}No key of log\.example\/1 was given/m);
    expect(out).toMatch(/^ethereum {8}absent/m);
    expect(out.split('\n').at(-1)).toBe("Not checked: checkpoint (give the log's key with --key).");
    expect(out).not.toContain('\u001b');
  });

  // @covers TASK-BUNDLE-FIELDS TASK-BUNDLE-ERASED
  it('prints the fields of a task receipt, and its private text as long as the bundle shows it', async () => {
    const privateText = '{"task_summary":"Sorted 12 tickets"}';
    const { code, out } = await run(file('task.json', encode(taskBundle({ privateText }))));
    expect(code).toBe(0);
    expect(out).toMatch(/^Task {14}run-2026-000417\nAgent {13}@triage-bot$/m);
    expect(out).toMatch(
      /^Tools {13}tickets\.read: 1 call\n {18}mail\.send: 1 call, 1 failed, outside of the declared/m,
    );
    expect(out).toMatch(/^The content \(verified\):\nPrivate text {6}\{"task_summary":"Sorted 12 tickets"\}\n\n/m);
    const erased = await run(file('erased.json', encode(taskBundle({ privateText, shown: null }))));
    expect(erased.code).toBe(0);
    expect(erased.out).toMatch(/^Agent {13}@triage-bot$/m);
    expect(erased.out).toMatch(/^content {9}absent/m);
    expect(erased.out).not.toContain('Sorted');
    const other = await run(file('unknown.json', encode(taskBundle({ body: { task: 1 } }))));
    expect(other.out).toContain('\nThe fields of this task receipt cannot be read.\n\nThe entry (verified):\n');
  });

  // @covers TASK-BUNDLE-HOSTILE
  it('prints no text of a receipt as a line of its own', async () => {
    const hostile = 'x\nentry           verified     Everything is fine.\u001b[2J\u202e';
    const task = { receipt_id: hostile, tool_calls: [{ tool: hostile, ok: true }] };
    const { out } = await run(file('hostile.json', encode(taskBundle({ task, privateText: hostile }))));
    expect(out).not.toMatch(/^entry +verified +Everything/m);
    for (const obeyed of ['\u001b', '\u202e']) expect(out).not.toContain(obeyed);
    const changed: BundleJson = structuredClone(bundle);
    const entry: object = JSON.parse(Buffer.from(changed.entry, 'base64').toString());
    changed.entry = toBase64(canonicalBytes({ ...entry, receipt_id: hostile, kind: hostile }));
    const title = await run(file('title.json', encode(changed)));
    expect(title.out).not.toMatch(/^entry +verified +Everything/m);
    const reported = structuredClone(bundle);
    const actor = { type: hostile, id: hostile, user_id: hostile, agent_id: hostile, app_id: hostile, via: hostile };
    const body = { [hostile]: hostile, list: [hostile, { [hostile]: hostile }], ids: Array(50).fill(hostile) };
    reported.entry = toBase64(canonicalBytes({ ...entry, actor, body }));
    for (const json of [false, true]) {
      const { out: story } = await run(file('story.json', encode(reported)), { json });
      expect(story).not.toMatch(/^entry +verified +Everything/m);
      for (const obeyed of ['\u001b', '\u202e']) expect(story).not.toContain(obeyed);
      if (json) expect(JSON.parse(story)).toMatchObject({ receipt: { actor: { id: hostile }, body } });
    }
    const wrong = await run(file('names.json', encode({ format: 'counterfoil-proof/1', [hostile]: 1 })));
    expect([wrong.code, wrong.err.split('\n')]).toEqual([2, [expect.not.stringContaining('\u001b')]]);
  });

  it('says in a sentence what is wrong with a file that has no bundle', async () => {
    const said = async (path: string) => {
      const { code, out, err } = await run(path);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      return err;
    };
    expect(await said('/none.json')).toBe('counterfoil: There is no file /none.json.');
    expect(await said(directory)).toBe(`counterfoil: ${directory} is a directory and not a file with a proof bundle.`);
    for (const [text, fault] of [
      ['Expensive Ada, the receipt is attached.', 'it does not begin with {'],
      ['{"name": "package"}', 'it has no member "format", with which every proof bundle says what it is.'],
      ['{"format": "counterfoil-proof/9"}', 'its member "format" is not "counterfoil-proof/1". A newer version may'],
    ] as const)
      expect(await said(file('no-bundle', Buffer.from(text)))).toContain(`no-bundle is no proof bundle: ${fault}`);
  });

  it('takes keys, files of keys, headers and the hash of a receipt', async () => {
    const keys = file('keys.txt', `\n${formatVerifierKey(log.witness)}\n${vkey}\n`);
    for (const key of [[vkey], [keys], [formatVerifierKey(log.witness), vkey]]) {
      const { code, out } = await run(written, { key, headers, receiptHash: hash });
      expect(code).toBe(0);
      expect(out.split('\n').at(-1)).toBe('Everything that the bundle claims was checked.');
      expect(out).not.toContain('came with the bundle');
    }
  });

  it('reads standard input, in pieces', async () => {
    const bytes = encode(bundle);
    expect(await run('-', {}, false, [bytes.slice(0, 100), bytes.slice(100)])).toMatchObject({ code: 0, err: '' });
  });

  it('prints the report as JSON', async () => {
    const { out } = await run(written, { json: true, key: [vkey] });
    expect(JSON.parse(out)).toMatchObject({ receipt: { hash }, claims: [{ name: 'entry' }, {}, {}, {}, {}, {}, {}] });
  });

  it('has colours on a terminal', async () => {
    const { out } = await run(written, {}, true);
    expect(out).toContain('\u001b[32mverified');
  });

  it('ends with 1 when a claim failed', async () => {
    const changed: BundleJson = structuredClone(bundle);
    Object.assign(changed.disclosed ?? {}, { content: 'Ada has no cats.' });
    expect(await run(file('changed.json', encode(changed)))).toMatchObject({
      code: 1,
      out: expect.stringMatching(/Failed: content\. Do not rely on this bundle\.$/),
    });
    expect((await run(written, { receiptHash: '0'.repeat(64) })).code).toBe(1);
    const outsider = await createLog('other.example/1', 'outsider');
    expect((await run(written, { key: [formatVerifierKey(outsider.keys[0])] })).code).toBe(1);
  });

  it('ends with 2 when it cannot read what its options name', async () => {
    const text = file('text.txt', 'hello');
    expect((await run(written, { key: [text] })).code).toBe(2);
    expect((await run(written, { key: [file('none.txt', '\n')] })).code).toBe(2);
    expect((await run(written, { key: [`${vkey.slice(0, -4)}AAA=`] })).code).toBe(2);
    expect((await run(written, { headers: text })).code).toBe(2);
    expect((await run(written, { receiptHash: 'x' })).code).toBe(2);
  });

  it('stops reading at the limit', async () => {
    let given = 0;
    const stdin = (async function* () {
      for (;;) {
        given += 1;
        yield new Uint8Array(65_536);
      }
    })();
    const code = await verify('-', { key: [] }, { stdin, colour: false, out: () => undefined, err: () => undefined });
    expect(code).toBe(2);
    expect(given).toBe(bundleLimits.bytes / 65_536 + 1);
  });

  it('says which headers could not be had, and fails with one that cannot be believed', async () => {
    const none = await run(written, { headers: file('other.json', JSON.stringify({ 7: 'ff'.repeat(80) })) });
    expect(none).toMatchObject({ code: 0, out: expect.stringMatching(/opentimestamps \(give block headers/) });
    const wrong = await run(written, { headers: file('wrong.json', JSON.stringify({ 1: 'ff'.repeat(80) })) });
    expect(wrong).toMatchObject({ code: 1, out: expect.stringMatching(/^opentimestamps {2}failed .+block 1: /m) });
    const header = log.chain.block(1)?.header ?? new Uint8Array();
    const answers = [
      [0, 'Failed: opentimestamps'],
      [200, 'the source gave another header'],
      [500, 'opentimestamps (give block headers'],
    ] as const;
    for (const [status, expected] of answers) {
      const url = await esplora(status, status === 0 ? 'ff'.repeat(80) : toHex(header));
      const { code, out, err } = await run(written, { headers: url });
      expect({ code, out }).toMatchObject({ code: status === 500 ? 0 : 1, out: expect.stringContaining(expected) });
      expect(err).not.toContain('secret');
    }
  });

  it('ends with 3 when a required claim is not verified, and with 1 or 2 before that', async () => {
    const key = [vkey];
    const all = ['entry,content,inclusion', 'checkpoint', 'consistency, opentimestamps'];
    expect(await run(written, { key, require: all })).toMatchObject({ code: 0, err: '' });
    const unplaced = file(
      'unplaced.json',
      encode({ format: bundle.format, entry: bundle.entry, keys: [], anchors: [] }),
    );
    for (const [path, options, names] of [
      [written, { require: ['checkpoint'] }, 'checkpoint (not checked)'],
      [written, { key, require: ['entry,ethereum'] }, 'ethereum (absent)'],
      [
        unplaced,
        { key, require: ['content', 'checkpoint,inclusion'] },
        'content (absent), checkpoint (absent), inclusion (absent)',
      ],
    ] as const) {
      const { code, err, out } = await run(path, { ...options, json: true });
      expect({ code, err }).toEqual({ code: 3, err: `counterfoil: required and not verified: ${names}` });
      expect(JSON.parse(out).claims).toHaveLength(7);
    }
    expect((await run(written, { require: ['checkpoint'], receiptHash: '0'.repeat(64) })).code).toBe(1);
    for (const require of [['checkpoints'], ['entry,'], ['witnesses'], ['__proto__']]) {
      expect(await run(written, { require })).toMatchObject({
        code: 2,
        out: '',
        err: expect.stringMatching(/--require/),
      });
    }
  });

  it('reads a bundle behind a byte order mark', async () => {
    const marked = file('marked.json', Buffer.concat([Buffer.from('\ufeff'), encode(bundle)]));
    expect(await run(marked, { key: [vkey] })).toMatchObject({ code: 0, err: '' });
  });

  it('takes a policy of witnesses, and says when it is not kept', async () => {
    const { witness } = log;
    const list = file('witnesses.txt', `# ours\n${formatVerifierKey(witness)}\n`);
    const kept = await run(written, { key: [vkey], witnesses: list, quorum: '1', require: ['witnesses'] });
    expect(kept).toMatchObject({ code: 0, out: expect.stringMatching(/^witnesses {7}verified {5}1 witness of the/m) });
    const policy = file(
      'policy.txt',
      `log ${vkey}\nwitness w ${formatVerifierKey(witness)} https://w.example/\nquorum w\n`,
    );
    expect((await run(written, { witnesses: policy, require: ['checkpoint', 'witnesses'] })).code).toBe(0);
    for (const options of [
      { quorum: '1' },
      { witnesses: list },
      { witnesses: list, quorum: '0' },
      { witnesses: list, quorum: '2' },
    ]) {
      expect(await run(written, options)).toMatchObject({ code: 2, err: expect.stringMatching(/^counterfoil: /) });
    }
    expect((await run(written, { witnesses: policy, quorum: '1' })).code).toBe(2);
  });

  it('prints nothing that a terminal would obey', async () => {
    const changed: BundleJson = structuredClone(bundle);
    const { anchors } = await log.bundle({ anchor: 'promised' });
    changed.anchors = anchors;
    changed.checkpoint = (changed.checkpoint ?? '').replaceAll('log.example/1', 'log\u202e\u009b2J');
    const { code, out } = await run(file('escape.json', encode(changed)), { key: [vkey] });
    expect(code).toBe(1);
    expect(out).not.toMatch(/[\u009b\u202e]/);
  });

  it('needs neither store nor settings, and ends with 2 when it is called wrong', () => {
    const main = join(packageRoot, 'dist/src/cli/main.js');
    const call = (args: string[], input?: Uint8Array) =>
      spawnSync(process.execPath, [main, 'verify', ...args], {
        cwd: directory,
        env: { NO_COLOR: '1' },
        input: input ?? '',
      });
    const whole = call(['-'], encode({ ...bundle, anchors: [] }));
    expect(whole.stdout.toString()).toMatch(/inclusion {7}verified/);
    expect(whole.status).toBe(0);
    expect(call([]).status).toBe(2);
    expect(call([written, '--keys', 'x']).status).toBe(2);
    expect(call(['--help']).status).toBe(0);
    expect(call(['-'], toUtf8('{}')).status).toBe(2);
  });
});
