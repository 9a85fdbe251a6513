import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errors } from '../../contracts/errors.js';
import { table } from '../../ops/bench/machine.js';
import { packageRoot } from '../../src/base/package-root.js';

interface Requirement {
  readonly id: string;
  readonly rule: string;
  /** Why no test shows it; anyone who cites it takes this away. */
  readonly open?: string;
}

const directory = join(packageRoot, 'test/requirements');
const areas = readdirSync(directory)
  .sort()
  .map((file) => {
    const rows: readonly Requirement[] = JSON.parse(readFileSync(join(directory, file), 'utf8'));
    return { area: file.replace('.json', ''), rows };
  });
const all = areas.flatMap(({ rows }) => rows);
const ids = new Set(all.map(({ id }) => id));

/** Every id above a test, with the file of that test. */
const cited = readdirSync(join(packageRoot, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(test|suite)\.ts$|suite\.ts$/.test(name))
  .flatMap((name) => {
    const text = readFileSync(join(packageRoot, 'test', name), 'utf8');
    return [...text.matchAll(/^\s*\/\/ @covers (.+)\n(?=\s*(?:\/\/ @covers|(?:it|test)(?:\.each)?[(<]))/gm)].flatMap(
      ([, list = '']) => list.split(' ').map((id) => ({ id, name, text })),
    );
  });
const citedIds = new Set(cited.map(({ id }) => id));

describe('requirements', () => {
  it('have an id each, once, and a rule', () => {
    const list = all.map(({ id }) => id);
    expect(list.filter((id, at) => list.indexOf(id) !== at)).toEqual([]);
    for (const { id, rule } of all)
      expect([id, /^[A-Z0-9]+-[\w-]+$/.test(id), rule.length > 10]).toEqual([id, true, true]);
  });

  it('are cited by a test, or say why not', () => {
    expect(all.filter(({ id, open }) => !open && !citedIds.has(id)).map(({ id }) => id)).toEqual([]);
    expect(all.filter(({ id, open }) => open && citedIds.has(id)).map(({ id }) => id)).toEqual([]);
    console.log(
      table([
        ['area', 'rules', 'cited', 'open'],
        ...[...areas, { area: 'all', rows: all }].map(({ area, rows }) => {
          const open = rows.filter((one) => one.open).length;
          return [area, rows.length, rows.length - open, open];
        }),
      ]),
    );
  });

  it('are what tests cite, directly above themselves', () => {
    expect(cited.filter(({ id }) => !ids.has(id)).map(({ id, name }) => `${name} cites ${id}`)).toEqual([]);
    const written = readdirSync(join(packageRoot, 'test'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.startsWith('structure'))
      .flatMap((name) => [...readFileSync(join(packageRoot, 'test', name), 'utf8').matchAll(/@covers (.+)/g)])
      .flatMap(([, list = '']) => list.split(' '));
    expect(written.length).toBe(cited.length);
  });

  it('have every code of the service and of the interface, cited where the code stands', () => {
    const file = join(packageRoot, 'test/openapi/interface-codes.json');
    const known: readonly { code: string }[] = JSON.parse(readFileSync(file, 'utf8'));
    const codes = [...Object.keys(errors), ...known.map(({ code }) => code)];
    expect(codes.filter((code) => !ids.has(`ERR-${code}`))).toEqual([]);
    const elsewhere = cited.filter(({ id, text }) => id in byCode && !new RegExp(`\\b${byCode[id]}\\b`).test(text));
    expect(elsewhere.map(({ id, name }) => `${name} cites ${id}`)).toEqual([]);
  });
});

const byCode: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(errors).map((code) => [`ERR-${code}`, code]),
);
