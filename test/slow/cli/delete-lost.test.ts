import { execFile } from 'node:child_process';
import { expect, it } from 'vitest';
import { bare, program } from '../../faults/service-process.js';
import { newStore } from '../../maintenance/store.js';

it('delete-lost shows lost contents, and deletes them only with a yes', async () => {
  const store = await newStore();
  const caller = await store.openWorkspace();
  const id = await store.add(caller, 'a note of the harbour');
  await store.ingest();
  await store.sql('delete from vault where receipt_id = (select receipt_id from memories where id = $1)', [id]);
  await store.database.close();
  const run = (...args: string[]) =>
    new Promise<{ code: number; out: string; err: string }>((resolve) => {
      const env = { ...bare, DATA_DIR: store.directory };
      execFile(process.execPath, [...program, ...args], { env }, (error, out, err) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
      );
    });
  const shown = new RegExp(`^content lost: memory ${id}, .*\\nTo be deleted: memories 1, .*\\n$`);
  expect(await run('delete-lost', '--dry-run')).toEqual({ code: 0, out: expect.stringMatching(shown), err: '' });
  expect(await run('delete-lost')).toEqual({
    code: 1,
    out: expect.stringMatching(shown),
    err: 'counterfoil: Nothing was deleted. Without a terminal, give --yes.\n',
  });
  expect((await run('fsck')).code).toBe(1);
  expect(await run('delete-lost', '--yes')).toEqual({
    code: 0,
    out: 'Deleted: memories 1, private texts of receipts 0, webhooks 0.\n',
    err: '',
  });
  expect((await run('fsck')).code).toBe(0);
  await store.close();
});
