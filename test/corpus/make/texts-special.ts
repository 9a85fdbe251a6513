import { encoded, type TextCase } from './texts-case.js';
import * as words from './texts-languages.js';

const refused = { refused: 'unsupported_file' } as const;
const latin1 = (text: string) => Buffer.from(text, 'latin1');

function textCase(path: string, bytes: Buffer, expected: TextCase['expected'], contentType = ''): TextCase {
  return { path, bytes, contentType, expected };
}

/** XML and pages, which say in their first lines what they are. */
function markup(): TextCase[] {
  const xml = (label: string, text: string) => `<?xml version="1.0" encoding="${label}"?>\n<log>${text}</log>\n`;
  const page = (meta: string, text: string) => `<html><head>${meta}</head><body><p>${text}</p></body></html>\n`;
  const line = words.russian.split('\n')[1] ?? '';
  const koi8 = encoded(xml('koi8-r', words.russian), 'koi8-r');
  const cyrillic = page('<meta charset="windows-1251">', line);
  const chinese = page('<meta http-equiv="Content-Type" content="text/html; charset=gb2312">', '货物：四十箱灯');
  const english = (label: string) => Buffer.from(page(`<meta charset=${label}>`, 'Forty crates – “lamps”'));
  const wrong = xml('utf-8', words.russian);
  return [
    textCase('markup/koi8-r.xml', koi8, { text: xml('koi8-r', words.russian) }),
    textCase('markup/before-the-server.xml', koi8, { text: xml('koi8-r', words.russian) }, 'text/xml; charset=utf-8'),
    textCase('markup/utf-16-in-ascii.xml', Buffer.from(xml('utf-16', words.english)), {
      text: xml('utf-16', words.english),
    }),
    textCase('markup/says-utf-8.xml', encoded(wrong, 'windows-1251'), {
      text: wrong,
      assumed: { charset: 'windows-1251' },
    }),
    textCase('markup/cyrillic.html', encoded(cyrillic, 'windows-1251'), { text: line }),
    textCase('markup/chinese.html', encoded(chinese, 'gbk'), { text: '货物：四十箱灯' }),
    textCase('markup/unicode.html', english('unicode'), { text: 'Forty crates – “lamps”' }),
    textCase('markup/ucs-2.html', english('ucs-2'), { text: 'Forty crates – “lamps”' }),
    textCase(
      'markup/server-says-ascii.html',
      encoded(cyrillic, 'windows-1251'),
      { text: line, assumed: { charset: 'windows-1251' } },
      'text/html; charset=us-ascii',
    ),
  ];
}

/** Labels in spellings of their own, and one that nobody knows. */
function labels(): TextCase[] {
  const utf8 = { text: words.turkish, assumed: { charset: 'utf-8' } };
  const plain = (label: string) => `text/plain; charset=${label}`;
  return [
    textCase('labels/cp-1251.txt', encoded(words.russian, 'cp1251'), { text: words.russian }, plain('cp-1251')),
    textCase('labels/win1250.csv', encoded(words.polish, 'cp1250'), { text: words.polish }, plain('"win1250"')),
    textCase('labels/unknown.txt', Buffer.from(words.turkish), utf8, plain('x-none')),
    textCase(
      'labels/unknown-cyrillic.txt',
      encoded(words.russian, 'koi8-r'),
      { text: words.russian, assumed: { charset: 'koi8-r' } },
      plain('x-none'),
    ),
    textCase('labels/utf-8-as-gbk.txt', Buffer.from(words.german), { ...utf8, text: words.german }, plain('gbk')),
    textCase(
      'labels/one-letter-as-latin1.txt',
      Buffer.from('Zürich\n'),
      { ...utf8, text: 'Zürich\n' },
      plain('latin1'),
    ),
    textCase(
      'labels/one-letter-as-gbk.txt',
      Buffer.from('Zürich\n'),
      { text: 'Z眉rich\n', assumed: { charset: 'gbk' } },
      plain('gbk'),
    ),
    textCase(
      'labels/latin1-as-utf-16.txt',
      encoded(words.french.slice(0, -1), 'cp1252'),
      { text: words.french.slice(0, -1), assumed: { charset: 'windows-1252' } },
      plain('utf-16'),
    ),
    textCase('labels/euro-of-mac.txt', latin1('45 \xdb \xbd\n'), { text: '45 € Ω\n' }, plain('macintosh')),
    textCase('labels/dos-word.txt', encoded('Größe\n', 'cp850'), { text: 'Größe\n' }, plain('cp850')),
  ];
}

/** Of UTF-8, one bad byte in 1,000 is damage, and one at least. */
function damaged(): TextCase[] {
  const long = words.french.repeat(8);
  const bad = (count: number) => Buffer.concat([Buffer.from(long), latin1('\xff '.repeat(count))]);
  const most = Math.floor((Buffer.byteLength(long) + 4) / 1000);
  const cut = Buffer.from('wet paint 🌊');
  return [
    textCase('damaged/one-byte.txt', latin1('Pier 7\xff is closed.\n'), {
      text: 'Pier 7\ufffd is closed.\n',
      assumed: { replaced: 1 },
    }),
    textCase('damaged/cut.csv', cut.subarray(0, cut.length - 1), {
      text: 'wet paint \ufffd',
      assumed: { replaced: 1 },
    }),
    textCase('damaged/one-in-a-thousand.txt', bad(most), {
      text: long + '\ufffd '.repeat(most),
      assumed: { replaced: most },
    }),
    textCase(
      'damaged/declared.txt',
      bad(1),
      { text: `${long}\ufffd `, assumed: { replaced: 1 } },
      'text/plain;charset=utf-8',
    ),
    textCase('damaged/more.txt', bad(most * 3), refused),
    textCase('damaged/own-replacement.txt', Buffer.concat([Buffer.from('lost: \ufffd '), latin1('\xff')]), {
      text: 'lost: \ufffd \ufffd',
      assumed: { replaced: 1 },
    }),
    textCase('damaged/cut-utf-16.txt', latin1('\xff\xfeh\0\xe9'), refused),
    textCase('damaged/half-of-a-pair.txt', latin1('\xff\xfe\x3d\xd8a\0'), refused),
    textCase('damaged/cut-shift-jis.txt', latin1('\x93\xfa\x96\x7b\x93'), refused, 'text/plain; charset=shift_jis'),
  ];
}

/** Bytes that are no text, or in no charset for sure. */
function refusals(): TextCase[] {
  return [
    textCase('refused/c1-controls.txt', Buffer.from('it\u0080\u0099s late\n'), refused),
    textCase('refused/nul.txt', Buffer.from('log\0\0\0\n'), refused),
    textCase('refused/binary.txt', latin1('\x7fELF\x02\x01\x01\0\0\xff\x00\x03\0>'), refused),
    textCase('refused/too-short.txt', latin1('\xb1\xe6 \xea\xb6'), refused),
    textCase('refused/korean-escapes.txt', latin1('\x1b$)C\x0e0!\x0f\n'), refused),
    textCase(
      'refused/marked-koi8.txt',
      Buffer.concat([latin1('\xef\xbb\xbf'), encoded(words.russian, 'koi8-r')]),
      refused,
    ),
    textCase('refused/blank.txt', Buffer.from(' \u200b\n'), { refused: 'no_text' }),
  ];
}

export function specialTexts(): TextCase[] {
  return [...markup(), ...labels(), ...damaged(), ...refusals()];
}
