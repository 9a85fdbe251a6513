import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../src/api/operations.js';
import { readConfig } from '../src/config.js';
import { accountRoutes } from '../src/http/account.js';
import { logPaths } from '../src/http/log.js';
import { oidcRoutes } from '../src/http/oidc.js';
import { sessionPath } from '../src/http/session.js';
import { verifyPath } from '../src/http/verify.js';
import { packageRoot } from '../src/package-root.js';

const readme = readFileSync(join(packageRoot, 'README.md'), 'utf8');
const contributing = readFileSync(join(packageRoot, 'CONTRIBUTING.md'), 'utf8');
const documents = `${readme}\n${contributing}`;
const main = join(packageRoot, 'dist/src/cli/main.js');
const run = promisify(execFile);
const endOfStep = '--- end of step ---';

/** What a stranger pastes into a terminal, and what the page says is answered to it; null where it says nothing. */
interface Step {
  readonly commands: string;
  readonly answer: string | null;
}

/** The `bash` blocks of a section, each with the `json` or `text` block that follows it. */
function stepsOf(section: string): Step[] {
  const [, text = ''] = readme.split(`\n## ${section}\n`);
  const [own = ''] = text.split('\n## ');
  const blocks = [...own.matchAll(/^```(bash|json|text)\n(.*?)^```/gms)].map(([, kind, body = '']) => ({ kind, body }));
  return blocks.flatMap(({ kind, body }, i) => {
    const next = blocks[i + 1];
    return kind === 'bash' ? [{ commands: body, answer: next && next.kind !== 'bash' ? next.body : null }] : [];
  });
}

/** The shown answer as a pattern: `…` is whatever differs, and how lines are broken is nobody's promise. */
function patternOf(answer: string): RegExp {
  const text = withoutSpace(answer).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${text.replaceAll('…', '.*?')}$`, 's');
}

const withoutSpace = (text: string) => text.replace(/\s+/g, '');

/** The built service as a stranger starts it: in a directory of its own, with nothing of the test runner's environment. */
async function startService(directory: string) {
  const env = { PATH: process.env.PATH ?? '', HOME: directory, DATA_DIR: join(directory, 'data'), PORT: '0' };
  const child = spawn(process.execPath, [main, 'serve'], { cwd: directory, env, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (data) => {
    said += data;
  });
  for (let tries = 0; !said.includes('Counterfoil listens on'); tries += 1) {
    if (child.exitCode !== null || tries > 1200) {
      child.kill('SIGKILL');
      throw new Error(`the service does not start:\n${said}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const stop = () => {
    child.kill('SIGTERM');
    return ended;
  };
  const shown = (pattern: RegExp) => pattern.exec(said)?.[1] ?? '';
  const [address, key, password] = [/listens on (\S+)/, /API key +(\S+)/, /password +(\S+)/].map(shown);
  return { env, address: address ?? '', key: key ?? '', password: password ?? '', stop };
}

describe('the first minute, and what people manage', () => {
  const directory = mkdtempSync(join(tmpdir(), 'counterfoil-readme-'));
  const steps = [...stepsOf('The first minute'), ...stepsOf('People and keys'), ...stepsOf('Rules and approvals')];
  const printed: string[] = [];
  let exitCode: number | null = null;

  beforeAll(async () => {
    const { env, address, key, password, stop } = await startService(directory);
    // One shell for all of it, as for somebody who pastes block after block.
    const script = steps
      .map(({ commands }) => `${commands}\necho '${endOfStep}'`)
      .join('\n')
      .replaceAll('http://127.0.0.1:8080', address)
      .replaceAll('ak_…', key)
      .replaceAll('PASSWORD=…', `PASSWORD=${password}`)
      .replaceAll('node dist/', `${process.execPath} ${packageRoot}/dist/`);
    const options = { cwd: directory, env, timeout: 60_000 };
    try {
      const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], options);
      printed.push(...stdout.split(`${endOfStep}\n`));
    } finally {
      exitCode = await stop();
    }
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it('has a block for each of write, search, delete and check', () => {
    const commands = steps.map((step) => step.commands).join('\n');
    for (const part of ['v1/memories"', 'v1/memories/search"', '-X DELETE', 'v1/receipts', 'main.js fsck']) {
      expect(commands).toContain(part);
    }
    expect(steps.filter(({ answer }) => answer !== null).length).toBeGreaterThanOrEqual(6);
  });

  it.each(steps.map((step, i) => ({ ...step, i })))('answers as the page says: $commands', ({ i, answer }) => {
    if (answer === null) expect(printed[i]).toBe('');
    else expect(withoutSpace(printed[i] ?? '')).toMatch(patternOf(answer));
  });

  it('ends with code 0', () => expect(exitCode).toBe(0));

  it('shows receipts of which each points to the next one down', () => {
    const list = printed.find((text) => text.startsWith('{"data":[{"receipt_id"')) ?? '';
    const [first, second, third] = [...list.matchAll(/"hash":"(\w{64})","prev_hash":"(\w{64})"/g)];
    expect(first?.[2]).toBe(second?.[1]);
    expect(second?.[2]).toBe(third?.[1]);
    expect(third?.[1]).toBeDefined();
  });
});

/** Every match's first group, once. */
function named(pattern: RegExp, text = documents): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))].sort();
}

describe('what the pages name is there', () => {
  const text = (path: string) => readFileSync(join(packageRoot, path), 'utf8');

  it('npm scripts', () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(text('package.json'));
    const mentioned = [...named(/npm run ([\w:]+)/g), ...named(/npm (start|test)\b/g)];
    expect(mentioned.filter((name) => scripts[name] === undefined)).toEqual([]);
    // Those that npm runs by itself need no mention.
    expect(Object.keys(scripts).filter((name) => !name.startsWith('pre') && !mentioned.includes(name))).toEqual([]);
  });

  it('commands', async () => {
    const { stdout } = await run(process.execPath, [main, '--help']);
    const commands = named(/^ {2}([\w-]+) /gm, stdout).filter((name) => name !== 'help');
    expect(named(/(?:`counterfoil|cli\/main\.js) ([\w-]+)/g)).toEqual(commands);
  });

  it('benches', () => {
    const known = named(/^ {2}(\w+): \(\) => bench/gm, text('ops/bench/main.ts'));
    expect(known.length).toBeGreaterThan(0);
    expect(named(/npm run bench -- (\w+)/g)).toEqual(known);
  });

  it('settings, with their defaults', () => {
    const rows = [...readme.matchAll(/^\| `([A-Z_]+)` +\|.*\| +(\S.*?) +\|$/gm)];
    expect(rows.map(([, name]) => name).sort()).toEqual(named(/^ {2}([A-Z_]+): /gm, text('src/config.ts')));
    // A setting whose default is written as a value means the same when it is given as that value.
    const given = Object.fromEntries(
      rows.flatMap(([, name = '', shown = '']) => (/^`[^:]+`$/.test(shown) ? [[name, shown.slice(1, -1)]] : [])),
    );
    expect(readConfig(given)).toEqual(readConfig({}));
  });

  it('routes', () => {
    const listed = named(/(\b(?:GET|POST|PUT|PATCH|DELETE) +\/v1\/[\w/{}-]+)/g, readme).map((route) =>
      route.replace(/ +/, ' '),
    );
    const open = Object.values(logPaths).map((path) => `GET ${path.replace('*', '{path}')}`);
    const built = [
      ...routes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`),
      ...open,
      `POST ${verifyPath}`,
      ...['GET', 'POST', 'DELETE'].map((method) => `${method} ${sessionPath}`),
      ...oidcRoutes.map(({ method, path }) => `${method} ${path}`),
      ...accountRoutes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`),
    ];
    expect(built.filter((route) => !listed.includes(route))).toEqual([]);
    expect(listed.filter((route) => !built.includes(route.replace('{id}', '{memory_id}')))).toEqual([]);
  });

  it('paths', () => {
    const top = readdirSync(packageRoot);
    const paths = ['.ci', 'contracts', 'dist', 'ops', 'projections', 'src', 'test'].flatMap((directory) =>
      readdirSync(join(packageRoot, directory), { recursive: true, encoding: 'utf8' }).map(
        (name) => `${directory}/${name}`,
      ),
    );
    const mentioned = named(/(?<![\w./])((?:\.ci|contracts|dist|ops|projections|src|test)\/[\w./*<>-]*)/g);
    const files = named(/[`(]([\w.-]+\.(?:md|json|yml))[`)]/g);
    const isThere = (path: string) => {
      const pattern = path
        .replace(/\/$/, '')
        .replaceAll('.', '\\.')
        .replaceAll(/\*|<\w+>/g, '[^/]+');
      return [...top, ...paths].some((known) => new RegExp(`^${pattern}$`).test(known));
    };
    expect(mentioned.length).toBeGreaterThan(20);
    expect([...mentioned, ...files].filter((path) => !isThere(path))).toEqual([]);
  });
});
