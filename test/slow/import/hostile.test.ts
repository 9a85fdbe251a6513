import { deflateSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { defaultBounds, openExtractor } from '../../../src/adapters/extract/extractor.js';
import { deflated, pdfOf, pdfWith, textPdf } from '../../import/pdf.js';

const megabyte = 1024 * 1024;
// A process that reads has a low priority: beside other suites four seconds of a processor may take minutes.
const bounds = { ...defaultBounds, cpuMs: 4000, wallMs: 600_000 };

describe('documents that are made to do harm', () => {
  const extractor = openExtractor(bounds);
  afterAll(() => extractor.close());

  const read = async (form: 'pdf' | 'html', bytes: Uint8Array) => {
    const started = performance.now();
    const before = process.memoryUsage.rss();
    const reading = await extractor.read({ form, bytes, contentType: '', maxTextBytes: megabyte }, 'a workspace');
    const ms = Math.round(performance.now() - started);
    const grown = Math.round((process.memoryUsage.rss() - before) / megabyte);
    const said = reading.kind === 'unreadable' ? reading.reason : reading.kind;
    console.log(`${expect.getState().currentTestName}: ${bytes.length} bytes, ${ms} ms, +${grown} MB here: ${said}`);
    expect(ms).toBeLessThan(bounds.wallMs);
    return reading;
  };
  const outOfBounds = { kind: 'unreadable', reason: expect.stringMatching(/too much memory|too long/) };
  const show = Buffer.from('BT /F1 12 Tf (seen) Tj ET');

  it('a stream of a gigabyte in a megabyte', async () => {
    const bomb = deflated(Buffer.alloc(1024 * megabyte, ' '));
    expect(await read('pdf', pdfWith([bomb]))).toEqual(outOfBounds);
  });

  it('a stream in a stream in a stream', async () => {
    const once = deflateSync(Buffer.alloc(512 * megabyte, ' '), { level: 9 });
    const bytes = deflateSync(deflateSync(once));
    const dictionary = '/Filter [/FlateDecode /FlateDecode /FlateDecode]';
    expect(await read('pdf', pdfWith([{ dictionary, bytes }]))).toEqual(outOfBounds);
  });

  it('forms that each draw the next one ten times', async () => {
    const form = (i: number) => ({
      dictionary: `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /Font << /F1 3 0 R >> /XObject << /X ${7 + i} 0 R >> >>`,
      bytes: Buffer.from('/X Do '.repeat(10)),
    });
    const forms = [...Array.from({ length: 20 }, (_, i) => form(i)), { ...form(0), bytes: show }];
    const page = { bytes: Buffer.from('/X Do') };
    expect(await read('pdf', pdfWith([page], '/XObject << /X 6 0 R >>', forms))).toEqual(outOfBounds);
  });

  it('a form that draws itself', async () => {
    const dictionary = '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 6 0 R >> >>';
    const itself = { dictionary, bytes: Buffer.from('/X Do') };
    const reading = await read('pdf', pdfWith([{ bytes: Buffer.from('/X Do') }], '/XObject << /X 6 0 R >>', [itself]));
    expect(reading).toEqual(expect.objectContaining({ kind: expect.stringMatching(/text|unreadable/) }));
  });

  it.each([
    [20_000, 'it has more than 5000 pages'],
    [5000, 'more than 1000 of its pages in a row have no text'],
  ])('%d pages without a text', async (count, reason) => {
    const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>';
    const pages = `<< /Type /Pages /Kids [${'3 0 R '.repeat(count)}] /Count ${count} >>`;
    const pdf = pdfOf(['<< /Type /Catalog /Pages 2 0 R >>', pages, page]);
    expect(await read('pdf', pdf)).toEqual({ kind: 'unreadable', reason });
  });

  it('pages that are their own children', async () => {
    const pdf = pdfOf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 1000000000 >>',
    ]);
    expect(await read('pdf', pdf)).toMatchObject({ kind: 'unreadable' });
  });

  it('arrays a million deep', async () => {
    const pdf = pdfOf([`<< /Type /Catalog /Pages ${'['.repeat(1e6)} >>`, '<< /Type /Pages /Kids [] /Count 0 >>']);
    expect(await read('pdf', pdf)).toMatchObject({ kind: 'unreadable' });
  });

  it('a table of objects that points everywhere', async () => {
    const broken = textPdf([['x']])
      .toString('latin1')
      .replace(/\d{10} 00000 n/g, '9999999999 00000 n');
    const reading = await read('pdf', Buffer.from(broken, 'latin1'));
    expect(reading.kind).toMatch(/text|unreadable/);
  });

  it.each([
    ['nothing but its first line', '%PDF-1.7\n'],
    ['zeros after it', `%PDF-1.7\n${'\0'.repeat(100_000)}`],
    ['five megabytes of keywords', `%PDF-1.7\n${'1 0 obj '.repeat(650_000)}`],
    ['five megabytes of startxref', `%PDF-1.7\n${'startxref 9\n'.repeat(430_000)}`],
  ])('%s', async (_name, text) => {
    expect(await read('pdf', Buffer.from(text, 'latin1'))).toMatchObject({ kind: 'unreadable' });
  });

  it.each([
    ['tags 1.7 million deep', '<b>'.repeat(1_747_000)],
    ['blocks a million deep, with text', `<p><i>${'<div>'.repeat(1_000_000)}bottom`],
    ['closing tags of nothing', '</p>'.repeat(1_250_000)],
    ['one attribute of five megabytes', `<p title="${'x'.repeat(5_000_000)}">text</p>`],
    ['a million attributes', `<p ${Array.from({ length: 600_000 }, (_, i) => `a${i}`).join(' ')}>text</p>`],
    ['five megabytes of entities', '&amp;'.repeat(1_000_000)],
    ['entities that never end', '&#x'.repeat(1_700_000)],
    ['comments that never end', '<!--'.repeat(1_250_000)],
    ['a doctype that never ends', `<!DOCTYPE ${'['.repeat(5_000_000)}`],
    ['lists 600,000 deep', '<ul><li>'.repeat(600_000)],
  ])('a page of %s', async (_name, html) => {
    const reading = await read('html', Buffer.from(html));
    if (reading.kind === 'unreadable') expect(reading).toEqual(outOfBounds);
  });

  it('reads the next document as if nothing had been', async () => {
    expect(await read('pdf', textPdf([['still here']]))).toEqual({ kind: 'text', text: 'still here' });
  });

  it('reads two at once, allows a few to wait, and refuses more than it could hold', async () => {
    const small = openExtractor({ ...bounds, heldBytes: 5000 });
    const pdf = textPdf([['one of many']]);
    const many = Array.from({ length: 50 }, (_, n) =>
      small.read({ form: 'pdf', bytes: pdf, contentType: '', maxTextBytes: megabyte }, `workspace ${n}`),
    );
    const settled = await Promise.allSettled(many);
    const read = settled.filter((one) => one.status === 'fulfilled');
    expect(read).toHaveLength(Math.floor(5000 / pdf.length));
    for (const one of settled)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'rate_limited' });
  });
});
