import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bare, program, type Service, start } from '../../faults/service-process.js';
import { quickDirectory } from '../../support/memory-disk.js';
import { repeats } from '../../support/repeats.js';

/** How often the service is killed and three processes are started at once on its directory. */
const rounds = repeats('ROUNDS');
const key = 'ak_starts000000000000000000000000000';

/** @returns the exit code: 0 when the store was looked through, 2 when it was held by another process at that moment */
function fsck(env: Record<string, string>): Promise<{ code: number; said: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [...program, 'fsck'], { env: { ...bare, ...env } }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, said: stdout + stderr }),
    );
  });
}

async function write(origin: string, label: string): Promise<Map<string, string>> {
  const written = new Map<string, string>();
  await Promise.all(
    Array.from({ length: 10 }, async (_, n) => {
      const content = `${label} memory ${n}`;
      const response = await fetch(`${origin}/v1/memories`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify({ content }),
      });
      const text = await response.text();
      const id = /"memory_id":"([^"]+)"/.exec(text)?.[1];
      if (response.status === 202 && id !== undefined) written.set(id, content);
    }),
  );
  return written;
}

async function lost(origin: string, written: ReadonlyMap<string, string>): Promise<string[]> {
  const faults: string[] = [];
  for (const [id, content] of written) {
    const response = await fetch(`${origin}/v1/memories/${id}`, { headers: { authorization: `Bearer ${key}` } });
    if (!(await response.text()).includes(content)) faults.push(`${content}: ${response.status}`);
  }
  return faults;
}

/** Three at once, two services and a check, alternately through a link, with temporary directories of their own. */
async function startThree(round: number, envs: readonly Record<string, string>[]) {
  const of = (index: number) => envs[(round + index) % envs.length] ?? {};
  const services = [0, 1].map((index) => start(of(index)).catch((error: Error) => error.message));
  const checking = fsck(of(2));
  return { outcomes: await Promise.all(services), checked: await checking };
}

test(`kill -9 and three starts at once, ${rounds} times: one holds the store, and nothing acknowledged is lost`, async () => {
  const root = quickDirectory();
  const directory = join(root, 'd'.repeat(200));
  const link = join(root, 'link');
  mkdirSync(directory);
  symlinkSync(directory, link);
  const envs = [directory, link, directory].map((path, index) => {
    const TMPDIR = join(root, `tmp${index}`);
    mkdirSync(TMPDIR);
    const quiet = { LOG_LEVEL: 'error', RATE_LIMITS: 'off', OTS_CALENDARS: 'off' };
    return { DATA_DIR: path, TMPDIR, BOOTSTRAP_API_KEY: key, PORT: '0', ...quiet };
  });
  const all = new Map<string, string>();
  const counts = { services: 0, checksOnly: 0, refused: 0 };
  let serving = await start(envs[0] ?? {});
  for (let round = 0; round < rounds; round += 1) {
    for (const [id, content] of await write(serving.origin, `round ${round}`)) all.set(id, content);
    await serving.kill();
    const { outcomes, checked } = await startThree(round, envs);
    const started = outcomes.filter((one): one is Service => typeof one !== 'string');
    const refusals = outcomes.filter((one) => typeof one === 'string');
    for (const refusal of refusals) expect(refusal).toContain('is in use by');
    if (checked.code === 0) expect(checked.said).toContain('No fault');
    else expect(checked.said).toMatch(/is in use by|ended before/);
    expect(started.length, 'services at once').toBeLessThanOrEqual(1);
    // Where none of the services came in, it was the check that had the store, and it has ended.
    if (started.length === 0) expect(checked.code).toBe(0);
    counts.services += started.length;
    counts.checksOnly += 1 - started.length;
    counts.refused += refusals.length;
    serving = started[0] ?? (await start(envs[0] ?? {}));
    const latest = [...all].slice(-30);
    expect(await lost(serving.origin, new Map(latest)), `after round ${round}`).toEqual([]);
  }
  expect(await lost(serving.origin, all)).toEqual([]);
  expect((await fsck(envs[1] ?? {})).said).toContain('No fault');
  await serving.kill();
  rmSync(root, { recursive: true, force: true });
  console.log(`${rounds} rounds, ${all.size} acknowledged writes, none lost`, counts);
});
