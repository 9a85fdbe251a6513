import { describe, expect, it } from 'vitest';
import { redact } from '../../../src/domain/redaction/redact.js';
import { cpuTime } from '../../verifier/cpu.js';

const size = 128 * 1024;
/** Beyond this number of milliseconds of processor time for 128 KiB something is not linear; the slowest take a fifth of it. */
const bound = 3000;

const units = [
  ...[
    '1',
    '@',
    '+',
    'A',
    '-',
    '.',
    ' ',
    '(',
    'a@',
    'a.',
    '.a@',
    '1 ',
    '0 ',
    '1-',
    '+1 ',
    '00 ',
    '(1)',
    'eyJ',
    'eyJaaaaaaaa.',
  ],
  ...[
    'sk-',
    'sk-proj-',
    'xoxb-',
    '://',
    'a://b:',
    '"@',
    'DE89 ',
    '-----BEGIN ',
    '-----BEGIN PRIVATE KEY-----\n',
    'AKIA',
  ],
  ...[
    'PuTTY-User-Key-File-2:\n',
    'call 1234567\n',
    'phone 12345678,',
    'order 1234567\n',
    '0171 1234567 ',
    'é@',
    '@é',
    '\u0660',
  ],
];

describe('redaction of 128 KiB that someone made to be slow', () => {
  it.each(units)('%j', (unit) => {
    const text = unit.repeat(Math.ceil(size / unit.length)).slice(0, size);
    const [{ text: once }, spent] = cpuTime(() => redact(text));
    expect(spent).toBeLessThan(bound);
    expect(redact(once).text).toBe(once);
  });

  it('decides by form when more was asked than it looks up', () => {
    const numbers = Array.from({ length: 6000 }, (_, n) => `0171 ${1_000_000 + n * 7}`).join('\n');
    const once = redact(numbers);
    expect(once.found.phone).toBe(6000);
    expect(redact(once.text).text).toBe(once.text);
  });
});
