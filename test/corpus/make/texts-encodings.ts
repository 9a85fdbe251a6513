import iconv from 'iconv-lite';
import { type ExpectedText, encoded, type TextCase } from './texts-case.js';
import * as words from './texts-languages.js';

/** A text in one encoding, which declares it, nothing, and another one. */
interface Encoding {
  readonly name: string;
  readonly text: string;
  readonly bytes: Buffer;
  readonly label: string;
  readonly wrong: string;
  /** Without a declaration, and with the wrong one; both the same where one is named. */
  readonly undeclared: ExpectedText;
  readonly wrongly: ExpectedText;
}

/** A byte order mark says what the text is, no matter what is declared. Nothing is assumed. */
function marked(name: string, text: string, mark: readonly number[], label: string, wrong: string): Encoding {
  const bytes = Buffer.concat([Buffer.from(mark), encoded(text, name)]);
  return { name: `${name}-with-mark`, text, bytes, label, wrong, undeclared: { text }, wrongly: { text } };
}

/** The text without a declaration is found by a detector; so it is with a wrong one in which not all bytes are characters. */
function detected(name: string, text: string, wrong: string, alike: readonly string[] = [name]): Encoding {
  const read = { text, assumed: { charset: alike } };
  return { name, text, bytes: encoded(text, name), label: name, wrong, undeclared: read, wrongly: read };
}

/**
 * Of this text all bytes are characters in the charset that is declared wrongly too. The rule believes the declaration; a reader must
 * see that it is doubtful.
 */
function believed(name: string, text: string, wrong: string, alike: readonly string[] = [name]): Encoding {
  const encoding = detected(name, text, wrong, alike);
  const garbage = iconv.decode(encoding.bytes, wrong);
  return { ...encoding, wrongly: { text: garbage, assumed: { charset: wrong } } };
}

/** The rule leaves open when a detector is sure. It is not, where two charsets read nearly the same: the text is refused, never guessed. */
function unsure(name: string, text: string, wrong: string): Encoding {
  const refused = { refused: 'unsupported_file' } as const;
  return { ...detected(name, text, wrong), undeclared: refused, wrongly: refused };
}

function unicode(): Encoding[] {
  const utf8 = { name: 'utf-8', text: `${words.french}🌊 ${words.japanese}`, label: 'UTF-8', wrong: 'windows-1252' };
  const ascii = { name: 'us-ascii', text: words.english, label: 'us-ascii', wrong: 'utf-16' };
  const other = { name: 'utf-16be', text: words.russian, label: 'utf-16be', wrong: 'utf-16le' };
  const big = { text: words.russian, assumed: { charset: 'utf-16be' } };
  return [
    {
      ...utf8,
      bytes: Buffer.from(utf8.text),
      undeclared: { text: utf8.text },
      wrongly: { text: utf8.text, assumed: { charset: 'utf-8' } },
    },
    {
      ...ascii,
      bytes: Buffer.from(ascii.text),
      undeclared: { text: ascii.text },
      wrongly: { text: ascii.text, assumed: { charset: 'utf-8' } },
    },
    { ...other, bytes: encoded(other.text, 'utf-16be'), undeclared: big, wrongly: big },
    marked('utf-8', words.german, [0xef, 0xbb, 0xbf], 'utf-8', 'koi8-r'),
    marked('utf-16le', words.greek, [0xff, 0xfe], 'UTF-16', 'iso-8859-1'),
    marked('utf-32le', words.korean, [0xff, 0xfe, 0, 0], 'UTF-32', 'utf-8'),
  ];
}

function encodings(): Encoding[] {
  return [
    ...unicode(),
    detected('windows-1250', words.polish, 'utf-8'),
    detected('windows-1251', words.russian, 'us-ascii'),
    detected('windows-1252', words.french, 'utf-8'),
    believed('windows-1253', words.greek, 'windows-1252'),
    detected('windows-1254', words.turkish, 'utf-8'),
    detected('windows-1255', words.hebrew, 'us-ascii'),
    detected('windows-1256', words.arabic, 'utf-8'),
    detected('windows-1257', words.lithuanian, 'utf-8'),
    detected('windows-874', words.thai, 'utf-8'),
    detected('iso-8859-2', words.czech, 'utf-8'),
    believed('iso-8859-5', words.russian, 'windows-1252'),
    detected('iso-8859-7', words.greek, 'utf-8', ['iso-8859-7', 'windows-1253']),
    unsure('iso-8859-15', words.frenchWithEuros, 'shift_jis'),
    believed('koi8-r', words.russian, 'windows-1251'),
    detected('koi8-u', words.ukrainian, 'utf-8'),
    believed('ibm866', words.russian, 'koi8-r'),
    detected('cp850', words.german, 'utf-8', ['cp850', 'cp437']),
    unsure('macintosh', words.french, 'utf-8'),
    detected('shift_jis', words.japanese, 'utf-8'),
    detected('euc-jp', words.japanese, 'utf-8'),
    detected('iso-2022-jp', words.japanese, 'utf-8'),
    detected('gb18030', words.chinese, 'utf-8', ['gb18030', 'gbk']),
    believed('big5', words.chineseOfTaiwan, 'windows-1251'),
    believed('euc-kr', words.korean, 'windows-1252'),
  ];
}

/** Each encoding three times: declared, undeclared and wrongly declared. */
export function textsInEncodings(): TextCase[] {
  return encodings().flatMap(({ name, text, bytes, label, wrong, undeclared, wrongly }) => [
    { path: `${name}/declared.txt`, bytes, contentType: `text/plain; charset=${label}`, expected: { text } },
    { path: `${name}/undeclared.txt`, bytes, contentType: '', expected: undeclared },
    { path: `${name}/wrong.txt`, bytes, contentType: `text/plain; charset=${wrong}`, expected: wrongly },
  ]);
}
