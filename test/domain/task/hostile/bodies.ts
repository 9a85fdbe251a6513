import { least } from '../samples.js';
import { but, nested, type Row, repeated, spelled, without } from './row.js';

const json = JSON.stringify(least);
const deep = (levels: number) => spelled({ x: nested(levels - 1) });
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** Bodies that are no JSON, or no JSON that all parsers read alike. */
export const texts: readonly Row[] = [
  ['nothing', '', 'invalid_json'],
  ['white space', ' \n\t', 'invalid_json'],
  ['null', 'null', 'invalid_json'],
  ['a number', '17', 'invalid_json'],
  ['a text', '"receipt"', 'invalid_json'],
  ['a list', '[]', 'invalid_json'],
  ['a list of receipts without its object', `[${json}]`, 'invalid_json'],
  ['a receipt that ends early', json.slice(0, -1), 'invalid_json'],
  ['two receipts one after the other', json + json, 'invalid_json'],
  ['JSON lines', `${json}\n${json}`, 'invalid_json'],
  ['a comma at the end', `${json.slice(0, -1)},}`, 'invalid_json'],
  ['single quotes', json.replaceAll('"', "'"), 'invalid_json'],
  ['keys without quotes', json.replace('"status"', 'status'), 'invalid_json'],
  ['a comment', `/* */${json}`, 'invalid_json'],
  ['a byte order mark', `\ufeff${json}`, 'invalid_json'],
  ['a no-break space before the receipt', `\u00a0${json}`, 'invalid_json'],
  ['NaN', spelled({ cost_usd: 'NaN' }), 'invalid_json'],
  ['Infinity', spelled({ cost_usd: '-Infinity' }), 'invalid_json'],
  ['a number with a plus sign', spelled({ cost_usd: '+1' }), 'invalid_json'],
  ['a number with a zero in front', spelled({ cost_usd: '01' }), 'invalid_json'],
  ['a number without digits after the point', spelled({ cost_usd: '1.' }), 'invalid_json'],
  ['a number without digits before the point', spelled({ cost_usd: '.5' }), 'invalid_json'],
  ['a hexadecimal number', spelled({ cost_usd: '0x10' }), 'invalid_json'],
  ['a number with separators', spelled({ cost_usd: '1_000' }), 'invalid_json'],
  ['a control character in a text', spelled({ model: '"a\nb"' }), 'invalid_json'],
  ['a NUL in a text that is not escaped', spelled({ model: '"a\0b"' }), 'invalid_json'],
  ['an escape that does not exist', spelled({ model: '"\\x41"' }), 'invalid_json'],
  ['an escape that ends early', spelled({ model: '"\\u00"' }), 'invalid_json'],
  ['True', spelled({ x: 'True' }), 'invalid_json'],
  ['the same key twice', `${json.slice(0, -1)},"receipt_id":"y"}`, 'invalid_json'],
  ['the same key twice, once with an escape', `${json.slice(0, -1)},"st\\u0061tus":"error"}`, 'invalid_json'],
  ['the same unknown key twice', `${json.slice(0, -1)},"x":1,"x":1}`, 'invalid_json'],
  ['the same key twice in a tool call', spelled({ tool_calls: '[{"tool":"a","ok":true,"ok":false}]' }), 'invalid_json'],
  ['the same key twice in private data', spelled({ x: '[[{"a":1,"a":2}]]' }), 'invalid_json'],
  ['the same key twice in an attestation', spelled({ attestations: '[{"type":"a","type":"b"}]' }), 'invalid_json'],
  ['__proto__ twice', spelled({ x: '{"__proto__":1,"__proto__":2}' }), 'invalid_json'],
  ['two lists of receipts', `{"receipts":[${json}],"receipts":[]}`, 'invalid_json'],
];

/** Receipts that are too large, each by one. */
export const sizes: readonly Row[] = [
  [
    'one byte more than 64 KiB',
    but({ x: 'x'.repeat(65_537 - bytesOf(but({ x: '' }))) }),
    'receipt_too_large',
    { limit: 65_536, got: 65_537 },
  ],
  [
    '64 KiB in characters, but not in bytes',
    but({ x: 'é'.repeat(32_768) }),
    'receipt_too_large',
    { limit: 65_536, got: bytesOf(but({ x: '' })) + 65_536 },
  ],
  [
    '64 KiB of white space inside a receipt',
    `{${' '.repeat(65_536)}${json.slice(1)}`,
    'receipt_too_large',
    { limit: 65_536, got: 65_536 + json.length },
  ],
  ['4,097 values', but({ x: repeated(4089, 0) }), 'receipt_too_large', { limit: 4096, got: 4097 }],
  [
    '4,097 values in objects',
    but({ x: repeated(2045, {}), y: repeated(2043, {}) }),
    'receipt_too_large',
    { limit: 4096, got: 4097 },
  ],
  [
    'a member with an empty name, and 4,097 values',
    but({ '': repeated(4089, 0) }),
    'receipt_too_large',
    { limit: 4096, got: 4097 },
  ],
  ['17 levels of lists', deep(17), 'receipt_too_large', { limit: 16, got: 17 }],
  [
    '17 levels of objects',
    spelled({ x: `${'{"a":'.repeat(16)}1${'}'.repeat(16)}` }),
    'receipt_too_large',
    { limit: 16, got: 17 },
  ],
  ['1,000 levels', deep(1000), 'receipt_too_large', { limit: 16, got: 1000 }],
  [
    '30,000 levels, which are more values than are allowed too',
    deep(30_000),
    'receipt_too_large',
    { limit: 4096, got: 30_006 },
  ],
  [
    '17 levels in an attestation',
    spelled({ attestations: `[{"type":"x","a":${nested(14)}}]` }),
    'receipt_too_large',
    { limit: 16, got: 17 },
  ],
  [
    '257 tool calls',
    but({ tool_calls: repeated(257, { tool: 'a', ok: true }) }),
    'receipt_too_large',
    { limit: 256, got: 257 },
  ],
  [
    '257 tool calls that are none',
    but({ tool_calls: repeated(257, 0) }),
    'receipt_too_large',
    { limit: 256, got: 257 },
  ],
  ['257 items of a scope', but({ declared_scope: repeated(257, 'a') }), 'receipt_too_large', { limit: 256, got: 257 }],
  [
    'an item of a scope with 129 characters',
    but({ declared_scope: ['a', 'b'.repeat(129)] }),
    'receipt_too_large',
    { limit: 128, got: 129 },
  ],
  [
    'an item of a scope with 129 emoji',
    but({ declared_scope: ['😀'.repeat(129)] }),
    'receipt_too_large',
    { limit: 128, got: 129 },
  ],
  ['17 attestations', but({ attestations: repeated(17, { type: 'a' }) }), 'receipt_too_large', { limit: 16, got: 17 }],
  [
    'too large and wrong: its size comes first',
    { status: 'x', tool_calls: repeated(257, 0) },
    'receipt_too_large',
    { limit: 256, got: 257 },
  ],
  [
    'too large, with a member of the service',
    but({ id: 'x', attestations: repeated(17, 0) }),
    'receipt_too_large',
    { limit: 16, got: 17 },
  ],
  [
    'a million values',
    but({ x: repeated(1_000_000, 0) }),
    'receipt_too_large',
    { limit: 65_536, got: 2_000_001 - 2 + bytesOf(but({ x: [] })) },
  ],
  [
    'a million levels',
    deep(1_000_000),
    'receipt_too_large',
    { limit: 65_536, got: Buffer.byteLength(deep(1_000_000)) },
  ],
];

/** Batches. */
export const batches: readonly Row[] = [
  ['no receipts', { receipts: [] }, 'invalid_receipt', 'receipts'],
  ['101 receipts', { receipts: repeated(101, least) }, 'invalid_receipt', 'receipts'],
  ['500,000 values that are no receipts', { receipts: repeated(500_000, 0) }, 'invalid_receipt', 'receipts'],
  ['receipts as an object', { receipts: { 0: least } }, 'invalid_receipt', 'receipts'],
  ['receipts as a text', { receipts: json }, 'invalid_receipt', 'receipts'],
  ['receipts is null', { receipts: null }, 'invalid_receipt', 'receipts'],
  ['a member beside the receipts', { receipts: [least], dry_run: true }, 'invalid_receipt', 'dry_run'],
  ['members of a receipt beside the receipts', { receipts: [least], status: 'success' }, 'invalid_receipt', 'status'],
  [
    'a receipt_id beside the receipts: it is one receipt',
    { receipts: [least], receipt_id: 'a' },
    'invalid_receipt',
    'agent_handle',
  ],
  ['an empty body', {}, 'invalid_receipt', 'receipt_id'],
  ['null as a receipt', { receipts: [least, null] }, 'invalid_receipt', '1:'],
  ['a list as a receipt', { receipts: [[least]] }, 'invalid_receipt', '0:'],
  ['a batch in a batch', { receipts: [{ receipts: [least] }] }, 'invalid_receipt', '0:receipt_id'],
  [
    'a wrong receipt at the end',
    { receipts: [...repeated(99, least), but({ status: 1 })] },
    'invalid_receipt',
    '99:status',
  ],
  [
    'two wrong receipts: the first is named',
    { receipts: [least, but({ model: 1 }), {}] },
    'invalid_receipt',
    '1:model',
  ],
  [
    'a wrong one before one of the service',
    { receipts: [but({ model: 1 }), but({ id: 1 })] },
    'invalid_receipt',
    '0:model',
  ],
  [
    'a member of the service in the second',
    { receipts: [least, but({ hash: null })] },
    'server_assigned_field',
    '1:hash',
  ],
  [
    'a wrong receipt before one that is too large',
    { receipts: [without('status'), but({ x: 'x'.repeat(65_536) })] },
    'receipt_too_large',
    { limit: 65_536, got: bytesOf(but({ x: '' })) + 65_536 },
  ],
  [
    'a duplicate key before a receipt that is too large',
    `{"receipts":[{"a":1,"a":1},${spelled({ x: nested(100) })}]}`,
    'invalid_json',
  ],
];
