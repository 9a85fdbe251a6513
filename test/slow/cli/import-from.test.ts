import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importMemories } from '../../../src/cli/import.js';
import { table } from '../../cli/import-table.js';
import { apiKey, type Service, startService } from '../../http/service.js';

const root = mkdtempSync(join(tmpdir(), 'counterfoil-import-from-'));
const file = (name: string) => join(root, name);
const progress = { report: () => undefined, stop: () => undefined };

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.stop();
  rmSync(root, { recursive: true, force: true });
});

async function imported(path: string, from: 'mem0' | 'basic-memory') {
  const said: string[] = [];
  const say = (text: string) => said.push(text);
  const terminal = { out: say, err: say, stdin: (async function* () {})() };
  const options = { url: service.app.server.listeningOrigin, key: apiKey, from };
  const code = await importMemories(file(path), options, terminal, progress);
  return { code, said: said.join('\n') };
}

async function held(source: string) {
  const { json } = await service.call('GET', '/v1/memories/export?limit=1000');
  return json.data.find((memory: { source: string | null }) => memory.source === source);
}

describe('memories of another service', () => {
  // @covers IMPORT-MEM0 IMPORT-ORIGIN IMPORT-REPEATED IMPORT-HOSTILE
  it('are imported from mem0, the wrong ones named and counted, and a second time not written', async () => {
    const record = (id: number) => ({ id: `m${id}`, memory: `Fact ${id}.`, user_id: 'ada', metadata: { n: id } });
    const lines = [{ results: [record(1), record(2)] }, record(3), { memory: 7 }];
    writeFileSync(file('mem0.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'));
    const first = await imported('mem0.jsonl', 'mem0');
    expect(first.said).toContain('memory 4: not_a_memory: memory is not a text');
    expect(first.said).toContain(table(3, 0, 1, 'not_a_memory 1'));
    expect(first.code).toBe(1);
    const memory = await held('mem0:m2');
    expect(memory).toMatchObject({ content: 'Fact 2.', provenance: { user_id: null } });
    expect(memory.metadata).toEqual({ n: 2, imported: { from: 'mem0', id: 'm2', user_id: 'ada' } });
    expect((await imported('mem0.jsonl', 'mem0')).said).toContain(table(0, 3, 1, 'not_a_memory 1'));
    writeFileSync(file('text'), 'no JSON');
    expect((await imported('text', 'mem0')).code).toBe(2);
  });

  // @covers IMPORT-NOTES IMPORT-REPEATED IMPORT-HOSTILE
  it('are imported from a directory and from an archive of basic-memory, and links are not followed', async () => {
    mkdirSync(file('notes/deep/.hidden'), { recursive: true });
    writeFileSync(file('secret.md'), 'outside');
    writeFileSync(file('notes/deep/Tea.md'), '---\ntags: [drink]\n---\n- [fact] Green tea is not fermented.\n');
    writeFileSync(file('notes/deep/.hidden/no.md'), 'hidden');
    writeFileSync(file('notes/deep/picture.png'), 'no note');
    writeFileSync(file('notes/long.md'), 'x'.repeat(1_200_000));
    writeFileSync(file('notes/latin.md'), Buffer.from([0xff, 0xfe, 0x41]));
    symlinkSync(file('secret.md'), file('notes/link.md'));
    const archive = "import sys, zipfile\nz = zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED)\n";
    const zip = (name: string, entries: string) =>
      execFileSync('python3', ['-c', `${archive}${entries}\nz.close()`, file(name)]);
    const first = await imported('notes', 'basic-memory');
    for (const sentence of [
      'link.md: not_a_memory: it is a symbolic link',
      'latin.md: not_a_memory: it begins with the mark of UTF-16LE and is not in that charset',
    ]) {
      expect(first.said).toContain(sentence);
    }
    expect(first.said).toContain('long.md: not_a_memory: it has more than 1,114,112 bytes');
    expect(first.said).toContain(table(1, 0, 3, 'not_a_memory 3'));
    expect(await held('basic-memory:deep/Tea')).toMatchObject({ metadata: { tags: ['drink'] } });
    zip(
      'notes.zip',
      "z.writestr('deep/Tea.md', '- [fact] Green tea is not fermented.\\n')\nz.writestr('bomb.md', 'a' * 50_000_000)",
    );
    const again = await imported('notes.zip', 'basic-memory');
    expect(again.said).toContain('bomb.md: not_a_memory: it has more than');
    expect(again.said).toContain('deep/Tea.md: assumed: the text is there already, with another metadata, which stays');
    expect(again.said).toContain(table(0, 1, 1, 'not_a_memory 1', { Assumed: '1' }));
    mkdirSync(file('empty'));
    zip('empty.zip', "z.writestr('a.txt', 'x')");
    for (const name of ['empty', 'empty.zip']) {
      const none = await imported(name, 'basic-memory');
      expect(none).toMatchObject({ code: 2, said: expect.stringContaining('There are no notes in ') });
    }
    const single = await imported('secret.md', 'basic-memory');
    expect(single).toMatchObject({ code: 2, said: expect.stringContaining('is neither a directory of notes nor') });
    zip('evil.zip', "z.writestr('../secret.md', 'x')");
    expect(await imported('evil.zip', 'basic-memory')).toMatchObject({ code: 2 });
  });
});
