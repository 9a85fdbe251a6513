import { createHash } from 'node:crypto';
import { redact } from '../../src/domain/redaction/redact.js';
import { machineLine, table } from './machine.js';
import { randomStream, sentence } from './words.js';

const size = 1024 * 1024;

/** A text of one MiB, put together from what `part` gives for 0, 1, 2 … */
function text(part: (n: number) => string): string {
  const parts: string[] = [];
  for (let length = 0, n = 0; length < size; n += 1) {
    const next = part(n);
    parts.push(next);
    length += next.length;
  }
  return parts.join('').slice(0, size);
}

/** Kinds of text that callers send, and below them what someone would send to keep the service busy. */
function texts(): readonly (readonly [string, string])[] {
  const random = randomStream(7);
  const prose = () => `${sentence(random, 6, 14)}. `;
  return [
    ['prose', text(prose)],
    ['prose with an address or number every 20 sentences', text((n) => (n % 20 === 0 ? value(n) : prose()))],
    [
      'lines of JSON with numbers and ids',
      text((n) => `{"id":"${n.toString(16).padStart(32, 'a')}","t":${n * 7919},"v":${n / 7}}\n`),
    ],
    ['base64', text((n) => createHash('sha256').update(String(n)).digest('base64'))],
    ['nothing but e-mail addresses', text((n) => `user${n}@example.com `)],
    ['nothing but phone numbers', text((n) => `0171 ${1_000_000 + n * 7}\n`)],
    ['nothing but numbers after "call"', text((n) => `call ${10_000_000 + n * 7}\n`)],
    ['nothing but numbers in the form of cards', text((n) => `4${String(n * 7919).padStart(15, '0')} `)],
    ['digits', '7'.repeat(size)],
    ['@', '@'.repeat(size)],
    ['a@', 'a@'.repeat(size / 2)],
    ['+1 ', text(() => '+1 ')],
    ['A', 'A'.repeat(size)],
    ['headers of private keys', text(() => '-----BEGIN PRIVATE KEY-----\n')],
  ];
}

function value(n: number): string {
  return n % 40 === 0 ? `Write to user${n}@example.com. ` : `Call +49 30 ${10_000_000 + n}. `;
}

/** Milliseconds that redaction takes for a MiB. The baseline is SHA-256 of the same text, which every write needs too. */
export async function benchRedaction(): Promise<void> {
  const rows = texts().map(([name, content]) => {
    const hashed = milliseconds(5, () => createHash('sha256').update(content).digest());
    const redacted = milliseconds(3, () => redact(content));
    const found = Object.entries(redact(content).found).map(([kind, count]) => `${kind} ${count}`);
    return [name, redacted.toFixed(0), hashed.toFixed(1), (redacted / hashed).toFixed(0), found.join(', ')];
  });
  console.log(table([[machineLine()], [], ['one MiB of', 'ms', 'SHA-256 (baseline)', 'ratio', 'found'], ...rows]));
}

/** The best of this number: the first runs code that is not compiled yet, and on a shared machine others alternate. */
function milliseconds(times: number, work: () => void): number {
  return Math.min(
    ...Array.from({ length: times }, () => {
      const from = performance.now();
      work();
      return performance.now() - from;
    }),
  );
}
