import { expect, it } from 'vitest';
import { cosignersOf } from '../../src/verifier/cosigners.js';

const line = (name: string, ...bytes: number[]) =>
  `— ${name} ${Buffer.from([1, 2, 3, 4, ...bytes]).toString('base64')}\n`;
const signature = Array.from({ length: 64 }, () => 7);
const noteWith = (...lines: string[]) =>
  `log.example.org\n42\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n${line('log.example.org', ...signature)}${lines.join('')}`;
const at = (seconds: bigint) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(seconds);
  return [...bytes];
};

it('are the witnesses that have signed beside the log, with the time that they have signed', () => {
  expect(cosignersOf(noteWith())).toEqual([]);
  const [one, two] = ['w.example.org/1', 'w.example.org/2'];
  expect(cosignersOf(noteWith(line(one, ...at(1_780_000_000n), ...signature), line(two, ...signature)))).toEqual([
    { name: one, key_id: '01020304', signed_at: '2026-05-28T20:26:40.000Z' },
    { name: two, key_id: '01020304', signed_at: null },
  ]);
});

it('may state a time that is no date, which is shown as none', () => {
  for (const seconds of [253_402_300_800n, 2n ** 64n - 1n]) {
    expect(cosignersOf(noteWith(line('w', ...at(seconds), ...signature)))[0]?.signed_at).toBeNull();
  }
  expect(cosignersOf(noteWith(line('w', ...at(253_402_300_799n), ...signature)))[0]?.signed_at).toMatch(/^9999-/);
});
