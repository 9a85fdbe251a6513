import { execFile, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { packageRoot } from '../../../src/base/package-root.js';
import { bare } from '../../faults/service-process.js';

const dockerfile = readFileSync(join(packageRoot, 'ops/Dockerfile'), 'utf8');
const [building = '', running = ''] = dockerfile.split(/\n(?=FROM [^\n]+\nWORKDIR \/app\n# )/);

/** The directory /app of the image, as the Dockerfile copies it. */
let app: string;
let data: string;
beforeAll(() => {
  app = mkdtempSync(join(tmpdir(), 'counterfoil-image-'));
  data = mkdtempSync(join(tmpdir(), 'counterfoil-image-data-'));
  for (const [, from = '', to = ''] of running.matchAll(/^COPY --from=build \/app\/(\S+) \.\/(\S+)$/gm)) {
    expect([from, existsSync(join(packageRoot, from))]).toEqual([from, true]);
    if (from === 'node_modules') symlinkSync(join(packageRoot, from), join(app, to));
    else cpSync(join(packageRoot, from), join(app, to), { recursive: true });
  }
  for (const path of /rm -rf (.*)$/m.exec(building)?.[1]?.split(' ') ?? [])
    rmSync(join(app, path), { recursive: true });
});
afterAll(() => {
  rmSync(app, { recursive: true, force: true });
  rmSync(data, { recursive: true, force: true });
});

const files = () =>
  readdirSync(app, { recursive: true, encoding: 'utf8' }).filter((name) => !name.startsWith('node_modules'));

it('has no tests, documentation, tools or sources', () => {
  expect(files().length).toBeGreaterThan(500);
  const wanted =
    /^(package\.json|ops(\/(no-fs|migrations)(\/.*)?)?|contracts(\/anchor(\/CounterfoilAnchor\.json)?)?|dist(\/.*)?)$/;
  expect(files().filter((name) => !wanted.test(name))).toEqual([]);
  expect(files().filter((name) => /^dist\/(test|ops)|\.ts$|\.md$/.test(name))).toEqual([]);
});

it('has all that npm ci needs before the sources are copied', () => {
  const before = building.slice(0, building.indexOf('RUN npm ci'));
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
  const local = Object.values<string>({ ...dependencies, ...devDependencies }).flatMap(
    (one) => /^file:(.+)$/.exec(one)?.[1] ?? [],
  );
  expect(local.filter((path) => !before.includes(`COPY ${path} ${path}\n`))).toEqual([]);
});

it('serves, answers its health check and runs commands, and writes nothing beside its data', async () => {
  const before = files();
  const env = { ...bare, HOST: '127.0.0.1', PORT: '0', DATA_DIR: data, LOG_LEVEL: 'error', OTS_CALENDARS: 'off' };
  const child = spawn(process.execPath, ['dist/src/cli/main.js', 'serve'], {
    cwd: app,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  const origin = await new Promise<string>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text) => {
      said += text;
      const found = /listens on (\S+)/.exec(said)?.[1];
      if (found) resolve(found);
    });
    child.once('exit', () => reject(new Error(said)));
  });
  for (const path of ['/readyz', '/developers', '/developers/openapi.yaml', '/verify', '/sign-in', '/metrics']) {
    expect([path, (await fetch(`${origin}${path}`)).status]).toEqual([path, 200]);
  }
  const check = JSON.parse(/^HEALTHCHECK [\s\S]*?CMD (\[.*\])$/m.exec(running)?.[1] ?? '[]');
  const run = (port: string) =>
    promisify(execFile)(process.execPath, check.slice(1), { env: { ...bare, PORT: port } }).then(
      () => 0,
      (error: { code: number }) => error.code,
    );
  expect(check[0]).toBe('node');
  expect(await run(new URL(origin).port)).toBe(0);
  expect(await run('1')).toBe(1);
  const { stdout } = await promisify(execFile)(process.execPath, ['dist/src/cli/main.js', 'fsck'], { cwd: app, env });
  expect(stdout).toMatch(/sound|no fault/i);
  child.kill('SIGTERM');
  await new Promise((resolve) => child.once('exit', resolve));
  expect(files()).toEqual(before);
});
