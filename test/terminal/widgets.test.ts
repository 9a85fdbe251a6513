import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compositeWidget } from '../../src/domain/market/widgets/composite.js';
import { changeText, levelText, priceText } from '../../src/domain/market/widgets/numbers.js';
import { escaped, themeOf } from '../../src/domain/market/widgets/svg.js';
import { tickerWidget } from '../../src/domain/market/widgets/ticker.js';
import { ask } from '../http/ask.js';
import { type Service, startService } from '../http/service.js';

const asOf = '2026-11-22T12:00:00.000Z';
const longSymbol = 'A.VERY.LONG.SYMBOL.OF.FORTY.CHARACTERS.X';
const days = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    day: `2026-11-${String(at + 1).padStart(2, '0')}`,
    value: `${1000 + at}`,
  }));
const composite = (history = days(3)) => ({ asOf, value: '1034.123456', change: '-1.5', history });
const quote = { asOf, price: '0.275', change: '12.345678', tasks: '1234' };

const sizes = [
  [160, 60],
  [320, 100],
  [480, 160],
  [160, 160],
] as const;
const frames = (['dark', 'light'] as const).flatMap((theme) =>
  sizes.map(([width, height]) => ({ theme, width, height })),
);

describe('a widget', () => {
  // @covers TERM-WIDGET-SVG
  it.each(frames)('is one whole image of text and lines, $theme at $width × $height', (frame) => {
    const drawn = [
      compositeWidget(composite(), frame),
      compositeWidget(composite([]), frame),
      compositeWidget(null, frame),
      tickerWidget('CODE.REVIEW', quote, frame),
      tickerWidget(longSymbol, { ...quote, price: '999999999', change: '-99999999', tasks: '123456789' }, frame),
      tickerWidget('T', { ...quote, price: null, change: null }, frame),
      tickerWidget(longSymbol, null, frame),
    ];
    for (const svg of drawn) {
      expect(svg).toMatch(
        /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^>]*role="img">\n<title>[^<]+<\/title>\n<desc>/,
      );
      expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toMatch(
        /script|href|url\(|https?:|<image|<style|NaN|undefined/,
      );
      const sizesOfText = Array.from(svg.matchAll(/font-size="([\d.]+)"/g), ([, size]) => Number(size));
      expect(Math.min(...sizesOfText)).toBeGreaterThanOrEqual(9);
      for (const [, x, y] of svg.matchAll(/<text x="([\d.-]+)" y="([\d.-]+)"/g)) {
        expect(Number(x)).toBeLessThanOrEqual(frame.width);
        expect(Number(y)).toBeLessThanOrEqual(frame.height);
      }
    }
  });

  // @covers TERM-WIDGET-CONTENT
  it('has the figures of the feed in its description, and draws days from the second one on', () => {
    const frame = { theme: 'dark', width: 320, height: 100 } as const;
    const svg = compositeWidget(composite(), frame);
    expect(svg).toContain(
      '<desc>Composite index 1034.123456, change of the day -1.5 percent, as of 2026-11-22T12:00:00.000Z.</desc>',
    );
    expect(svg).toContain('>1,034.12<');
    expect(svg).toContain('>−1.50%<');
    expect(svg.match(/<circle/g)).toHaveLength(1);
    expect(compositeWidget(composite(days(1)), frame)).not.toContain('<path');
    expect(compositeWidget(null, frame)).toContain('no data yet');
    const ticker = tickerWidget('CODE.REVIEW', quote, frame);
    expect(ticker).toContain('price 0.275 US dollars, change 12.345678 percent, tasks in 24 hours 1234');
    expect(ticker).toContain('>$0.275<');
    expect(tickerWidget('CODE.REVIEW', null, frame)).toContain('not traded in 30 days');
  });

  it('escapes the five characters, and leaves out what XML has no place for', () => {
    expect(escaped(`<&>"'\u0000\u001b\ufffe\ud800`)).toBe('&lt;&amp;&gt;&quot;&#39;\ufffd');
    const hostile = tickerWidget('"><script>alert(1)</script>', null, { theme: 'dark', width: 480, height: 100 });
    expect(hostile).not.toContain('<script');
  });

  it('shows numbers of any size', () => {
    expect(['0', '0.000001', '0.0123', '1234.5678', '1000000000'].map(priceText)).toEqual([
      '$0.00',
      '$0.000001',
      '$0.0123',
      '$1,234.57',
      '$1B',
    ]);
    expect(['0', '-0.001', '5', '-99.999', '123456789'].map(changeText)).toEqual([
      '0.00%',
      '0.00%',
      '+5.00%',
      '−100.00%',
      '+123.5M%',
    ]);
    expect(levelText('12345678.9')).toBe('12.35M');
  });

  it('has texts of enough contrast in both themes', () => {
    const channel = (value: number) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    const luminance = (colour: string) => {
      const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
        channel(Number.parseInt(colour.slice(at, at + 2), 16) / 255),
      );
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    for (const { sheet, ink, soft, up, down } of Object.values(themeOf)) {
      for (const text of [ink, soft, up, down]) {
        const [bright = 0, dark = 0] = [luminance(sheet), luminance(text)].sort((a, b) => b - a);
        expect((bright + 0.05) / (dark + 0.05)).toBeGreaterThan(4.5);
      }
    }
  });
});

describe('the routes of widgets', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    ask(service.app.server.listeningOrigin, method, `/v1/embed/${path}`, { headers });

  // @covers TERM-WIDGET-PARAMETERS ERR-invalid_symbol ERR-invalid_theme ERR-invalid_dimension
  it.each([
    ['composite.svg?theme=blue', 'invalid_theme'],
    ['composite.svg?theme=', 'invalid_theme'],
    ['composite.svg?theme=dark&theme=light', 'invalid_theme'],
    ['composite.svg?w=159', 'invalid_dimension'],
    ['composite.svg?w=481', 'invalid_dimension'],
    ['composite.svg?w=0320', 'invalid_dimension'],
    ['composite.svg?w=1e2', 'invalid_dimension'],
    ['composite.svg?w=٣٢٠', 'invalid_dimension'],
    ['composite.svg?h=59', 'invalid_dimension'],
    ['composite.svg?h=161', 'invalid_dimension'],
    ['composite.svg?h=100&h=100', 'invalid_dimension'],
    ['composite.svg?symbol=CODE.REVIEW', 'invalid_request'],
    ['composite.svg?x=1', 'invalid_request'],
    ['ticker.svg', 'invalid_symbol'],
    ['ticker.svg?symbol=code.review', 'invalid_symbol'],
    [`ticker.svg?symbol=${longSymbol}Y`, 'invalid_symbol'],
    ['ticker.svg?symbol=A&symbol=B', 'invalid_symbol'],
    ['ticker.svg?symbol=A&w=161.5', 'invalid_dimension'],
  ])('%s is %s', async (path, code) => {
    const { status, json, headers } = await get(path);
    expect([status, json.error.code]).toEqual([400, code]);
    expect(headers.get('content-type')).toContain('application/json');
    expect(headers.get('cache-control')).toBe('public, max-age=60, s-maxage=60');
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });

  // @covers TERM-WIDGET-HEADERS
  it('have the headers of feeds, an ETag for each encoding, and 304', async () => {
    const path = `ticker.svg?symbol=${longSymbol}&w=480&h=160`;
    const tags = new Set<string>();
    for (const encoding of ['identity', 'gzip', 'br']) {
      const { status, headers, text } = await get(path, { 'accept-encoding': encoding });
      expect(status).toBe(200);
      expect(text).toContain('<svg');
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'image/svg+xml; charset=utf-8',
        'cache-control': 'public, max-age=60, s-maxage=60',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
        'cross-origin-resource-policy': 'cross-origin',
        'access-control-allow-origin': '*',
        'x-content-type-options': 'nosniff',
        vary: 'accept-encoding',
      });
      const etag = headers.get('etag') ?? '';
      tags.add(etag);
      const known = await get(path, { 'accept-encoding': encoding, 'if-none-match': `"x", W/${etag}` });
      expect([known.status, known.text, known.headers.get('etag'), known.headers.get('vary')]).toEqual([
        304,
        '',
        etag,
        'accept-encoding',
      ]);
      expect(known.headers.get('cache-control')).toBe('public, max-age=60, s-maxage=60');
    }
    expect(tags.size).toBe(3);
    const head = await get(path, {}, 'HEAD');
    expect([head.status, head.text]).toEqual([200, '']);
    const preflight = await get(path, {}, 'OPTIONS');
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
      204,
      'if-none-match, *',
    ]);
  });
});
