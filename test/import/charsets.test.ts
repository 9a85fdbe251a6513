import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { detectCharset } from '../../src/adapters/extract/charset-detector.js';
import { charsetOfPage, charsetOfType, charsetOfXml } from '../../src/domain/charset/declared.js';
import { type Decoded, decodeText, NoText } from '../../src/domain/charset/decode.js';

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const decode = (bytes: Uint8Array, contentType = '', form: 'text' | 'html' = 'text') =>
  decodeText(bytes, contentType, form, detectCharset);
const declared = (charset: string | undefined) => (charset === undefined ? '' : `text/plain; charset=${charset}`);

const french = 'Le capitaine a noté que la marée était très haute à l’écluse. Où était le pilote ?';
const polish =
  'Zażółć gęślą jaźń. Statek odpłynął wczoraj wieczorem, a kapitan powiedział, że wróci dopiero za tydzień.';
const russian = 'Корабль вышел из порта вчера вечером, и капитан сказал, что вернётся на следующей неделе.';
const japanese = '船は昨日の夕方に港を出発し、船長は来週まで戻らないと言った。荷物は検査され、書類に署名された。';
const chinese = '船昨天晚上离开了港口，船长说下周才会回来。货物已经检查，文件已经签署。';
const korean = '배는 어제 저녁 항구를 떠났고 선장은 다음 주에야 돌아올 것이라고 말했다.';
/** ISO-2022-JP of 日本語, which the library that encodes does not have. */
const iso2022 = latin1('Port: \x1b$BF|K\\8l\x1b(B\n');

describe('bytes that declare nothing', () => {
  it.each<[string, Uint8Array, string, Decoded['assumed']]>([
    ['UTF-8', Buffer.from('naïve 日本 🌍'), 'naïve 日本 🌍', undefined],
    ['nothing', Buffer.alloc(0), '', undefined],
    ['UTF-8 with its mark', latin1('\xef\xbb\xbfplain'), 'plain', undefined],
    ['UTF-16, little end first', latin1('\xff\xfeh\0\xe9\0'), 'hé', undefined],
    ['UTF-16, big end first', latin1('\xfe\xff\0h\0\xe9'), 'hé', undefined],
    ['UTF-32', iconv.encode('hé 日本', 'utf-32le', { addBOM: true }), 'hé 日本', undefined],
    ['UTF-16 without a mark', iconv.encode(`${russian}\n`, 'utf-16le'), `${russian}\n`, { charset: 'utf-16le' }],
    ['UTF-16 the other way', iconv.encode(japanese, 'utf-16be'), japanese, { charset: 'utf-16be' }],
    ['windows-1252', iconv.encode(french, 'windows-1252'), french, { charset: 'windows-1252' }],
    ['windows-1250', iconv.encode(polish, 'windows-1250'), polish, { charset: 'windows-1250' }],
    ['windows-1251', iconv.encode(russian, 'windows-1251'), russian, { charset: 'windows-1251' }],
    ['KOI8-R', iconv.encode(russian, 'koi8-r'), russian, { charset: 'koi8-r' }],
    ['IBM866', iconv.encode(russian, 'cp866'), russian, { charset: 'ibm866' }],
    ['Shift_JIS', iconv.encode(japanese, 'shift_jis'), japanese, { charset: 'shift_jis' }],
    ['EUC-JP', iconv.encode(japanese, 'euc-jp'), japanese, { charset: 'euc-jp' }],
    ['GB 18030', iconv.encode(chinese, 'gb18030'), chinese, { charset: 'gb18030' }],
    ['EUC-KR', iconv.encode(korean, 'euc-kr'), korean, { charset: 'euc-kr' }],
    ['ISO-2022-JP', iso2022, 'Port: 日本語\n', { charset: 'iso-2022-jp' }],
    ['one bad byte', latin1('a\xffb'), 'a\ufffdb', { replaced: 1 }],
    ['a log that was cut in a character', Buffer.from('wet 🌍').subarray(0, 7), 'wet \ufffd', { replaced: 1 }],
    [
      'a bad byte beside U+FFFD itself',
      Buffer.concat([Buffer.from('\ufffd '), latin1('\xff')]),
      '\ufffd \ufffd',
      { replaced: 1 },
    ],
  ])('%s', (_name, bytes, text, assumed) => expect(decode(bytes)).toEqual({ text, ...(assumed && { assumed }) }));

  it('takes a bad byte in a thousand', () => {
    const text = (bad: number) => Buffer.concat([Buffer.from('é'.repeat(1500)), latin1('\xff'.repeat(bad))]);
    expect(decode(text(3)).assumed).toEqual({ replaced: 3 });
    expect(() => decode(text(4))).toThrow(NoText);
  });

  it.each<[string, Uint8Array, RegExp]>([
    ['a text in no charset for sure', latin1('\xb1\xe6 \xea\xb6'), /declare it in the Content-Type/],
    ['half a character of UTF-16', latin1('\xff\xfe\x00\xd8a\0'), /mark of UTF-16LE/],
    ['UTF-16 that was cut in a unit', latin1('\xff\xfeh\0\xe9'), /mark of UTF-16LE/],
    ['UTF-16 with the big end first that was cut', latin1('\xfe\xff\0h\0'), /mark of UTF-16BE/],
    [
      'a mark before another charset',
      Buffer.concat([latin1('\xef\xbb\xbf'), iconv.encode(russian, 'koi8-r')]),
      /mark of UTF-8/,
    ],
    ['Korean with escapes', latin1('\x1b$)C\x0e0!\x0f'), /declare it/],
    ['binary data', latin1('\x7fELF\0\0\x01\x02\0\xff'), /binary data/],
    ['NUL in UTF-8', Buffer.from('é\0'), /binary data/],
    ['C1 controls', Buffer.from('it\u0080\u0099s'), /wrong charset/],
  ])('refuses %s', (_name, bytes, sentence) => expect(() => decode(bytes)).toThrow(sentence));
});

describe('bytes that declare a charset', () => {
  it.each<[string, Uint8Array, string, string, Decoded['assumed']]>([
    ['windows-1252', latin1('\x80'), 'windows-1252', '€', undefined],
    ['what the web calls latin1', latin1('\x80 \xe9'), 'ISO-8859-1', '€ é', undefined],
    ['koi8-r', latin1('\xf0\xd2'), 'koi8-r', 'Пр', undefined],
    ['Shift JIS', latin1('\x93\xfa\x96\x7b'), 'Shift_JIS', '日本', undefined],
    ['a spelling of its own', iconv.encode(russian, 'cp1251'), 'cp-1251', russian, undefined],
    ['a charset of old DOS', iconv.encode('Größe', 'cp850'), 'CP850', 'Größe', undefined],
    ['UTF-16 without a mark', iconv.encode('hé', 'utf-16be'), 'UTF-16', 'hé', undefined],
    ['UTF-16 in the other order', iconv.encode('hé', 'utf-16be'), 'utf-16le', 'hé', { charset: 'utf-16be' }],
    ['UTF-16LE without a mark', iconv.encode('hé', 'utf-16le'), 'utf-16le', 'hé', undefined],
    ['ASCII as UTF-16', latin1('plain text'), 'utf-16', 'plain text', { charset: 'utf-8' }],
    ['a charset that no one knows', Buffer.from('é'), 'x-klingon', 'é', { charset: 'utf-8' }],
    ['UTF-8 as ASCII', Buffer.from('é'), 'us-ascii', 'é', { charset: 'utf-8' }],
    ['UTF-8 as Latin-1', Buffer.from('é'), 'latin-1', 'é', { charset: 'utf-8' }],
    ['UTF-8 as Shift_JIS', Buffer.from(japanese), 'shift_jis', japanese, { charset: 'utf-8' }],
    ['Latin-1 as UTF-8', iconv.encode(french, 'windows-1252'), 'utf-8', french, { charset: 'windows-1252' }],
    ['KOI8-R as ASCII', iconv.encode(russian, 'koi8-r'), 'us-ascii', russian, { charset: 'koi8-r' }],
    ['a leftover byte in what is declared UTF-8', latin1('a\xffb'), 'utf-8', 'a\ufffdb', { replaced: 1 }],
    [
      'a leftover byte in what is declared ASCII',
      latin1('a\xffb'),
      'ascii',
      'a\ufffdb',
      { charset: 'utf-8', replaced: 1 },
    ],
    ['a mark that says otherwise', latin1('\xef\xbb\xbfplain'), 'koi8-r', 'plain', undefined],
  ])('%s', (_name, bytes, charset, text, assumed) =>
    expect(decode(bytes, declared(charset))).toEqual({ text, ...(assumed && { assumed }) }));

  it('in the first line of XML, before that of the server', () => {
    const xml = (charset: string) => `<?xml version="1.0" encoding="${charset}"?>\n<p>${russian}</p>`;
    const koi8 = iconv.encode(xml('koi8-r'), 'koi8-r');
    expect(decode(koi8, 'text/xml; charset=utf-8')).toEqual({ text: xml('koi8-r') });
    expect(decode(koi8, 'application/xhtml+xml', 'html')).toEqual({ text: xml('koi8-r') });
    const wrong = iconv.encode(xml('utf-8'), 'windows-1251');
    expect(decode(wrong, 'text/xml; charset=cp1251')).toEqual({
      text: xml('utf-8'),
      assumed: { charset: 'windows-1251' },
    });
  });

  it('in a page, behind its server, and tries both', () => {
    const page = (charset: string) => `<meta charset="${charset}"><p>${russian}`;
    const koi8 = iconv.encode(page('koi8-r'), 'koi8-r');
    expect(decode(koi8, 'text/html', 'html')).toEqual({ text: page('koi8-r') });
    expect(decode(koi8, 'text/html; charset=utf-8', 'html')).toEqual({
      text: page('koi8-r'),
      assumed: { charset: 'koi8-r' },
    });
    for (const charset of ['unicode', 'ucs-2', 'utf-16le']) {
      const english = page(charset).replace(russian, 'plain – text');
      expect(decode(Buffer.from(english), 'text/html', 'html')).toEqual({ text: english });
    }
  });

  // @covers IMPORT-CHARSETS
  it('are found in pages, XML and media types', () => {
    expect(charsetOfPage(latin1('<meta charset=koi8-r>'))).toBe('koi8-r');
    expect(charsetOfPage(latin1('<meta http-equiv="x" content="text/html; charset=GBK">'))).toBe('GBK');
    expect(charsetOfPage(latin1('<meta charset="utf-16">'))).toBe('utf-8');
    expect(charsetOfPage(latin1(`${' '.repeat(1024)}<meta charset=koi8-r>`))).toBeUndefined();
    expect(charsetOfXml(latin1("\n<?xml version='1.0' encoding='EUC-JP' ?>"))).toBe('EUC-JP');
    expect(charsetOfXml(latin1('<p encoding="EUC-JP">'))).toBeUndefined();
    expect(charsetOfType('text/html; a=b; Charset="UTF-8"')).toBe('UTF-8');
    expect(charsetOfType('text/html')).toBeUndefined();
  });
});
