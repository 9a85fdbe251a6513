import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../../src/base/package-root.js';

const other = 65_534;

it('a store that an administrator has restored for themselves is not taken for a damaged one', () => {
  const data = mkdtempSync(join(tmpdir(), 'counterfoil-test-'));
  mkdirSync(join(data, 'pgdata'), { mode: 0o700 });
  writeFileSync(join(data, 'pgdata/PG_VERSION'), '18\n', { mode: 0o600 });
  chmodSync(data, 0o700);
  chownSync(data, other, other);
  const { status, stderr } = spawnSync(process.execPath, [join(packageRoot, 'dist/src/cli/main.js'), 'serve'], {
    env: { PATH: process.env.PATH, DATA_DIR: data, PORT: '0' },
    cwd: data,
    uid: other,
    gid: other,
    encoding: 'utf8',
  });
  rmSync(data, { recursive: true });
  expect(stderr).toContain(
    `it belongs to another user. Nothing was changed. Give it to the user of the service: chown -R USER ${data}`,
  );
  expect(status).toBe(1);
});
