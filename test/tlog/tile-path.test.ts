import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatTilePath, parseTilePath } from '../../src/tlog/tile-path.js';

describe('paths of tiles (C2SP tlog-tiles)', () => {
  it.each([
    ['tile/0/000', 0, 0, 256],
    ['tile/0/x001/x234/067', 0, 1_234_067, 256],
    ['tile/63/999.p/1', 63, 999, 1],
    ['tile/1/x001/000.p/255', 1, 1000, 255],
    ['tile/entries/000.p/112', 'entries', 0, 112],
    ['tile/entries/x009/x007/x199/x254/x740/991', 'entries', Number.MAX_SAFE_INTEGER, 256],
  ] as const)('%s', (path, level, index, width) => {
    expect(parseTilePath(path)).toEqual({ level, index, width });
    expect(formatTilePath({ level, index, width })).toBe(path);
  });

  it('are read as they were written', () => {
    const levels = fc.oneof(fc.integer({ min: 0, max: 63 }), fc.constant('entries' as const));
    const tiles = fc.record({ level: levels, index: fc.maxSafeNat(), width: fc.integer({ min: 1, max: 256 }) });
    fc.assert(
      fc.property(tiles, (tile) => {
        expect(parseTilePath(formatTilePath(tile))).toEqual(tile);
      }),
    );
  });

  it.each([
    '',
    'tile',
    'tile/0',
    'tile/0/',
    '/tile/0/000',
    'tile/0/000/',
    'tile/0/000\n',
    'tile/0/0',
    'tile/0/0000',
    'tile/0/x000/001',
    'tile/0/x001',
    'tile/0/001/x234',
    'tile/0/001/234',
    'tile/0/X001/234',
    'tile/00/000',
    'tile/01/000',
    'tile/64/000',
    'tile/-1/000',
    'tile/0x1/000',
    'tile/data/000',
    'tile/0/000.p/0',
    'tile/0/000.p/01',
    'tile/0/000.p/256',
    'tile/0/000.p/',
    'tile/0/000.p',
    'tile/0/000.p/1/2',
    'tile/0/٠٠٠',
    'tile/0/..%2f000',
    'tile/entries/x009/x007/x199/x254/x740/992',
    `tile/0/${'x001/'.repeat(100_000)}000`,
  ])('refuse %j', (path) => {
    expect(parseTilePath(path)).toBeNull();
  });

  it('have one form each', () => {
    const pieces = fc.constantFrom('tile', '/', '0', '1', '256', 'x', '000', 'x001', '.p/', 'entries', '64', ' ');
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
        const path = `tile/${parts.join('')}`;
        const parsed = parseTilePath(path);
        if (parsed) expect(formatTilePath(parsed)).toBe(path);
      }),
      { numRuns: 5000 },
    );
  });
});
