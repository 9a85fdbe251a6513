import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../../src/base/package-root.js';
import {
  filesOf,
  pagePaths,
  patternOf,
  readPage,
  runElsewhere,
  sectionOf,
  stepsOf,
  withoutSpace,
} from '../../docs/documents.js';
import { type Printed, startPrinted } from '../../docs/service.js';
import { freePort } from '../../faults/free-port.js';
import { shortLived } from '../../support/short-lived.js';

const run = promisify(execFile);
const endOfStep = '--- end of step ---';
/** A page takes seconds, and a minute beside other suites on a slow machine. Its commands end then even if one of them waits forever. */
const pageMs = 180_000;

/** The commands by which docs/start.md prepares the shell of every other page. */
const setup = stepsOf(sectionOf(readPage('docs/start.md'), 'The shell of these pages'))
  .map(({ commands }) => commands)
  .join('\n');

const pages = pagePaths
  .filter((path) => runElsewhere[path] === undefined)
  .map((path) => ({ path, text: readPage(path), steps: stepsOf(readPage(path)) }))
  .filter(({ steps }) => steps.length > 0);

describe('the commands of the documentation', () => {
  const directory = mkdtempSync(join(tmpdir(), 'counterfoil-docs-'));
  // The packages that programs of the pages import, as if the reader had installed them.
  symlinkSync(join(packageRoot, 'node_modules'), join(directory, 'node_modules'));
  const printed = new Map<string, readonly string[]>();
  let service: Printed;

  /** One shell and one directory for all blocks of a page, as for a reader who pastes one after the other. */
  async function runPage({ path, text, steps }: (typeof pages)[number]): Promise<readonly string[]> {
    const cwd = join(directory, path.replaceAll('/', '-'));
    mkdirSync(cwd);
    for (const { name, body } of filesOf(text)) writeFileSync(join(cwd, name), body);
    const own = steps.map(({ commands }) => `${commands}\necho '${endOfStep}'`);
    const script = [...(['README.md', 'docs/start.md'].includes(path) ? [] : [setup]), ...own]
      .join('\n')
      .replaceAll('http://127.0.0.1:8080', service.address)
      .replaceAll('ak_…', service.key)
      .replaceAll('PASSWORD=…', `PASSWORD=${service.password}`)
      .replaceAll('node dist/', `${process.execPath} ${shortLived.join(' ')} ${packageRoot}/dist/`);
    const env = { ...service.env, RECEIVER_PORT: String(await freePort()) };
    const { stdout } = await run('bash', ['--norc', '-euo', 'pipefail', '-c', script], { cwd, env, timeout: pageMs });
    return stdout.split(`${endOfStep}\n`);
  }

  beforeAll(async () => {
    service = await startPrinted(directory);
    for (const page of pages) printed.set(page.path, await runPage(page));
  }, pages.length * pageMs);
  afterAll(async () => {
    expect(await service.stop()).toBe(0);
    rmSync(directory, { recursive: true, force: true });
  });

  it.each(pages.flatMap(({ path, steps }) => steps.map((step, at) => ({ ...step, path, at }))))('$path: $commands', ({
    path,
    at,
    answer,
  }) => {
    const output = printed.get(path)?.[at] ?? '';
    if (answer === null) expect(output).toBe('');
    else expect(withoutSpace(output)).toMatch(patternOf(answer));
  });

  it('show in the README receipts of which each points to the next one in the list', () => {
    const list = printed.get('README.md')?.find((text) => text.startsWith('{"data":[{"id"')) ?? '';
    const [first, second, third] = [...list.matchAll(/"hash":"(\w{64})","prev_hash":"(\w{64})"/g)];
    expect(first?.[2]).toBe(second?.[1]);
    expect(second?.[2]).toBe(third?.[1]);
    expect(third?.[1]).toBeDefined();
  });
});
