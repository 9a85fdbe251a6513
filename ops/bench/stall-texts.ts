import { createHash } from 'node:crypto';

/** A text that callers may send and that is expensive for some algorithm. */
export interface StallText {
  readonly name: string;
  text(): string;
}

const mebibyte = 1024 * 1024;

/** As many whole copies as fit into this number of bytes of UTF-8. */
function filled(part: string, bytes = mebibyte - 1000): string {
  return part.repeat(Math.floor(bytes / Buffer.byteLength(part)));
}

/** Everything that `part` gives for 0, 1, 2 …, up to this number of UTF-16 code units. */
function counted(part: (n: number) => string, length = 1_000_000): string {
  const parts: string[] = [];
  for (let held = 0, n = 0; held < length; n += 1) {
    const next = part(n);
    parts.push(next);
    held += next.length;
  }
  return parts.join('').slice(0, length);
}

const chinese = '北京市的天气今天很好，我们决定去公园散步。他说：“明天再来吧！”于是大家都回家了。';
const english = 'The heron is in the shallows and waits for no one else. ';
const thai = 'ภาษาไทยเป็นภาษาที่เขียนโดยไม่มีช่องว่างระหว่างคำและเป็นภาษาราชการของประเทศไทย';
const zalgo = '̖̗̘̙̜̝̞̟̠̀́̂̃̄̅';

/** Written for anyone who looks for the next one: each of these has stopped some program. */
export const stallTexts: readonly StallText[] = [
  { name: 'Chinese prose of 100,000 characters', text: () => filled(chinese, 300_000) },
  { name: 'Chinese prose of 340,000 characters', text: () => filled(chinese) },
  { name: 'Chinese without a full stop', text: () => filled('天地玄黄宇宙洪荒日月盈昃辰宿列张') },
  {
    name: 'Japanese prose',
    text: () => filled('今日は天気がいいから、公園を散歩しましょう。カタカナとひらがなです。'),
  },
  { name: 'English with one Chinese character', text: () => `${filled(english, 150_000)}天` },
  { name: 'English without a full stop', text: () => filled('the heron is in the shallows and waits ') },
  { name: 'emoji', text: () => filled('😀') },
  { name: 'families of emoji joined by ZWJ', text: () => filled('👨‍👩‍👧‍👦') },
  { name: 'one emoji joined to itself', text: () => filled('👩‍') },
  { name: 'flags', text: () => filled('🇨🇭🇩🇪🇦🇹') },
  { name: 'one letter with combining marks', text: () => `e${filled('́')}` },
  { name: 'combining marks in no canonical order', text: () => `a${filled('̴̖́')}` },
  { name: 'Zalgo', text: () => filled(`H${zalgo}e${zalgo}r${zalgo}o${zalgo}n${zalgo} `) },
  { name: 'equal letters', text: () => filled('a') },
  { name: 'spaces', text: () => `a${filled(' ')}b` },
  { name: 'dashes', text: () => filled('-') },
  { name: 'dots', text: () => filled('.') },
  { name: 'line ends', text: () => `a${filled('\n')}b` },
  { name: 'euro signs', text: () => filled('€') },
  { name: 'Arabic ligature of 18 letters', text: () => filled('ﷺ') },
  { name: 'Hangul jamo', text: () => filled('ᄒ'.repeat(20) + 'ᅡ'.repeat(20) + 'ᆫ'.repeat(20)) },
  { name: 'Thai', text: () => filled(thai) },
  { name: 'Khmer and Burmese', text: () => filled('ភាសាខ្មែរជាភាសាកំណើតមြန်မာဘာသာစကား') },
  { name: 'Arabic', text: () => filled('اللغة العربية هي أكثر اللغات السامية تحدثا ونطقا. ') },
  { name: 'overrides of direction', text: () => filled('‮abc‬‭def‬⁧x⁩') },
  { name: 'zero-width spaces and joiners', text: () => filled('a​b‌c‍') },
  { name: 'base64', text: () => counted((n) => createHash('sha256').update(String(n)).digest('base64')) },
  { name: 'minified JavaScript', text: () => counted((n) => `var a${n}=function(e,t){return e?t[${n}]||e(t):!0};`) },
  { name: 'DNA', text: () => counted((n) => 'ACGT'.charAt(((n * 2654435761) >>> 7) % 4)) },
  { name: 'phone numbers', text: () => counted((n) => `+44 20 7946 ${String(n % 10_000).padStart(4, '0')}, `) },
  { name: 'digits and spaces', text: () => filled('1 2 3 4 5 6 7 8 9 0 ') },
  { name: 'like e-mail addresses', text: () => filled('a@') },
  { name: 'dots before an @', text: () => filled('a.'.repeat(40_000)) },
  { name: 'digits of cards', text: () => filled('4111111111111112') },
  { name: 'headers of private keys', text: () => filled('-----BEGIN PRIVATE KEY-----\n') },
  {
    name: 'CSV',
    text: () => counted((n) => `${n},"name ${n}",2024-01-${(n % 28) + 1},${n / 7},"a ""quoted"" text"\n`),
  },
  {
    name: 'distinct words',
    text: () => counted((n) => `${createHash('md5').update(String(n)).digest('hex').slice(0, 9)} `),
  },
  {
    name: 'long addresses',
    text: () => counted((n) => `https://example.org/${'a/'.repeat(500)}?q=${'%41'.repeat(300)}&n=${n} `),
  },
  { name: 'nested elements', text: () => `${'<div>'.repeat(90_000)}<p>deep` },
  {
    name: 'attributes and entities',
    text: () => filled('<a href="&amp;&#x41;&nosuch;" x=\'<\'>&lt;&amp;</a><!-- - -- -->'),
  },
];
