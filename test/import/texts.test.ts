import { afterAll, describe, expect, it } from 'vitest';
import { openExtractor } from '../../src/adapters/extract/extractor.js';
import { htmlText } from '../../src/adapters/extract/html-text.js';
import { formOf, formOfPage } from '../../src/domain/import-form.js';
import { deflated, pdfOf, pdfWith, textPdf } from './pdf.js';

const latin1 = (text: string) => Buffer.from(text, 'latin1');

describe('kinds of files', () => {
  const named = (form: ReturnType<typeof formOf>) => (typeof form === 'string' ? form : null);

  it.each<[string, string, string, string | null]>([
    ['a.pdf', '', 'x', 'pdf'],
    ['a.txt', '', '%PDF-1.4 startxref', 'pdf'],
    ['a.txt', '', '%PDF-1.4 is how a PDF begins', 'text'],
    ['a', '', '%PDF-1.4', 'pdf'],
    ['a.bin', '', 'junk %PDF-1.4 startxref', 'pdf'],
    ['a.bin', '', 'junk \xe2\xe3 %PDF-1.4', 'pdf'],
    ['PORTING', '', 'The first line is %PDF-1.4.', 'text'],
    ['about.md', '', 'It begins with %PDF-', 'text'],
    ['A.HTM', '', 'x', 'html'],
    ['a.csv', 'application/vnd.ms-excel', 'x', 'text'],
    ['README', 'text/x-readme', 'x', 'text'],
    ['a', 'application/ld+json; charset=utf-8', 'x', 'text'],
    ['a', 'application/xhtml+xml', 'x', 'html'],
    ['a.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'PK', null],
    ['a.rtf', 'text/rtf', '{\\rtf', null],
    ['a.rtf', '', '{\\rtf1', null],
    ['a.doc', '', '{\\rtf1', null],
    ['README', '', 'x', 'text'],
    ['Jenkinsfile', 'application/octet-stream', 'pipeline {}', 'text'],
    ['a.zig', '', 'caf\xc3\xa9', 'text'],
    ['app.log.1', '', '', 'text'],
    ['.gitignore', '', 'dist/', 'text'],
    ['a.svg', 'image/svg+xml', '<svg/>', 'text'],
    ['a.zig', '', 'caf\xe9', null],
    ['a.zig', '', 'a\0b', null],
    ['a.zig', '', '\xff\xfea\0', 'text'],
    ['a.vue', '', 'caf\xe9', 'text'],
    ['docs/LICENSE', '', 'caf\xe9', 'text'],
    ['a.png', 'image/png', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR', null],
    ['saved', '', '\xef\xbb\xbf\n<!DOCTYPE html><p>x', 'html'],
    ['saved', '', '<html lang=pt><p>x', 'html'],
    ['a.ejs', '', '<!doctype html><%= x %>', 'text'],
    ['a.eml', 'message/rfc822', 'Subject: x', null],
    ['A.EML', 'text/plain', 'Subject: x', null],
    ['a', 'message/rfc822', 'Subject: x', null],
    ['a.mht', '', 'MIME-Version: 1.0', null],
    ['a.mbox', '', 'From a@example.org', null],
    ['a.txt', 'message/rfc822', 'x', 'text'],
  ])('%s, %s', (name, type, start, form) => expect(named(formOf(name, type, latin1(start)))).toBe(form));

  it('that are not read say what to do', () => {
    expect(formOf('a.eml', '', latin1('x'))).toEqual({ notRead: expect.stringContaining('import its text') });
    expect(formOf('a.zig', '', latin1('\xe9'))).toEqual({ notRead: expect.stringContaining('text/plain; charset=') });
  });

  it('of a page are what its server says, or else its name', () => {
    const page = (path: string, type: string, bytes = 'x') =>
      named(formOfPage(new URL(path, 'http://a.org'), type, latin1(bytes)));
    expect(page('/a.html', 'image/png')).toBeNull();
    expect(page('/a.md?b=.pdf', '')).toBe('text');
    expect(page('/a.pdf', 'text/html')).toBe('html');
    expect(page('/Makefile', '')).toBe('text');
    expect(page('/a', 'application/x-httpd-php', '<!DOCTYPE html>')).toBe('html');
    expect(page('/a', 'application/typescript')).toBe('text');
    expect(page('/a', 'application/zip', 'PK\x03\x04\0')).toBeNull();
    expect(page('/a', 'text/rtf', '{\\rtf1')).toBeNull();
    expect(page('/a.txt', 'message/rfc822')).toBeNull();
  });
});

describe('pages as text', () => {
  it.each<[string, string, string]>([
    ['blocks', '<h1>A</h1><p>one\n two</p><div>x</div><div>y</div>', 'A\n\none two\n\nx\ny'],
    ['its title', '<head><title>T &amp; U</title></head><body><p>x', 'T & U\n\nx'],
    ['its title once', '<title>Same</title><h1>Same</h1><p>x', 'Same\n\nx'],
    ['no scripts and styles', 'a<script>if (1<2) "</p>"</script><style>p{}</style><noscript>n</noscript>b', 'ab'],
    ['nothing hidden', '<p hidden>a<b>b</b></p><template>c</template><p>d', 'd'],
    [
      'nothing that a style hides',
      '<p style="color:red; DISPLAY : none !important">a<b>b</b></p><i style="visibility:hidden">c</i>d',
      'd',
    ],
    ['what a style shows', '<p style="display:block">a</p><p style="--display:none">b', 'a\n\nb'],
    ['lists', '<ul><li>a<li><p>b</p><ol start=3><li>c<li>d</ol></ul>e', '- a\n- b\n  3. c\n  4. d\n\ne'],
    ['tables', '<table><tr><th>a<th>b<tr><td>1<td>2</table>', 'a\tb\n1\t2'],
    ['lines as they are in pre', 'x<pre>  a\n   b</pre>y', 'x\n\n  a\n   b\n\ny'],
    ['entities', '&lt;p&gt; &eacute; &#x1F30D; &nbsp; &amp;lt; &bogus;', '<p> é 🌍 &lt; &bogus;'],
    ['breaks', 'a<br>b<br><br>c', 'a\nb\n\nc'],
    ['inline marks', 'a<b>b</b> <i>c</i>, d', 'ab c, d'],
    ['what is never closed', '<div><p>a<div>b<span>c', 'a\n\nbc'],
    ['a title in a drawing', '<svg><title>no</title></svg><p>yes', 'yes'],
    ['no markup at all', 'just text', 'just text'],
    ['nothing', '<html><body></body></html>', ''],
  ])('%s', (_name, html, text) => expect(htmlText(html)).toBe(text));
});

describe('PDFs as text', () => {
  const extractor = openExtractor();
  afterAll(() => extractor.close());
  const read = (bytes: Uint8Array) =>
    extractor.read({ form: 'pdf', bytes, contentType: '', maxTextBytes: 1_048_576 }, 'a workspace');
  const font = (more: string) => [`<< /Type /Font /Subtype /Type0 ${more} >>`];

  it('pages, lines and letters', async () => {
    expect(await read(textPdf([['One', 'na\xefve \\(two\\)'], [], ['three']]))).toEqual({
      kind: 'text',
      text: 'One\nnaïve (two)\n\nthree',
    });
  });

  it('Japanese by the maps that come with the library', async () => {
    const page = deflated(latin1('BT /J 12 Tf 72 700 Td <93fa967b> Tj ET'));
    const descendant =
      '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /R /FontDescriptor 8 0 R /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> >>';
    const about =
      '<< /Type /FontDescriptor /FontName /R /Flags 4 /FontBBox [0 0 9 9] /ItalicAngle 0 /Ascent 8 /Descent -2 /CapHeight 7 /StemV 8 >>';
    const fonts = font('/BaseFont /R /Encoding /90ms-RKSJ-H /DescendantFonts [7 0 R]');
    const pdf = pdfWith([page], '/Font << /J 6 0 R >>', [...fonts, descendant, about]).toString('latin1');
    const once = pdf.replace('/Font << /F1 3 0 R >>', ' '.repeat('/Font << /F1 3 0 R >>'.length));
    expect(await read(latin1(once))).toEqual({ kind: 'text', text: '日本' });
  });

  it('is counted and not sent when it is too long', async () => {
    const lines = Array.from({ length: 40 }, () => 'x'.repeat(60));
    const reading = await read(textPdf(Array.from({ length: 500 }, () => lines)));
    expect(reading).toEqual({ kind: 'too-large', size: expect.any(Number) });
  });

  it('is refused when it is encrypted or damaged, and empty without a text layer', async () => {
    const encrypt = `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'00'.repeat(32)}> /U <${'11'.repeat(32)}> >> /ID [<00> <00>]`;
    const locked = pdfOf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [] /Count 0 >>'], encrypt);
    expect(await read(locked)).toEqual({ kind: 'unreadable', reason: 'it is encrypted' });
    expect(await read(textPdf([['cut']]).subarray(0, 60))).toMatchObject({ kind: 'unreadable' });
    expect(await read(pdfWith([{ bytes: latin1('0 0 m 9 9 l S') }]))).toEqual({ kind: 'text', text: '' });
  });
});
