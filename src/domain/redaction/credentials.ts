import type { Span } from './finding.js';

const header = /-----?\s?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?\s?-----?/g;
const footer = /-----?\s?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?\s?-----?/g;

/** The body after a header whose footer was cut off. Line breaks may be escaped as in JSON, with two characters. */
const openBody = /(?:\s|\\[rn]){0,8}[A-Za-z0-9+/=]{16,}(?:(?:\s|\\[rn]){1,8}[A-Za-z0-9+/=]{16,})*/y;

/** No key is longer. A footer further away belongs to something else. */
const longest = 32_768;

/** Key material. A text that only mentions headers and footers has no such run of characters between them. */
const material = /[A-Za-z0-9+/=]{24}/;

const putty = /PuTTY-User-Key-File-\d:[^\n]{0,80}\n(?:(?!PuTTY)[^\n]{0,200}\n){1,100}?Private-MAC: [0-9a-f]{40,64}/g;
const age = /(?<![A-Z0-9])AGE-SECRET-KEY-1[0-9A-Z]{58}(?![A-Z0-9])/g;

/** Finds private keys in the forms of PEM, OpenSSH, PGP, SSH2, PuTTY and age, also if their end was cut off. */
export function privateKeys(text: string): Span[] {
  const spans = text.includes('PRIVATE KEY') ? pemBlocks(text) : [];
  if (text.includes('PuTTY-User-Key-File-')) spans.push(...spansOf(putty, text));
  if (text.includes('AGE-SECRET-KEY-1')) spans.push(...spansOf(age, text));
  return withoutOverlap(spans);
}

function pemBlocks(text: string): Span[] {
  const spans: Span[] = [];
  const footers = spansOf(footer, text);
  let next = 0;
  let taken = 0;
  const headers = spansOf(header, text);
  for (const [i, { from, to }] of headers.entries()) {
    if (from < taken) continue;
    const limit = Math.min(to + longest, headers[i + 1]?.from ?? text.length);
    while ((footers[next]?.from ?? Number.POSITIVE_INFINITY) < to) next += 1;
    const end = footers[next];
    if (end && end.from <= limit && material.test(text.slice(to, end.from))) {
      taken = end.to;
    } else {
      openBody.lastIndex = to;
      const body = openBody.exec(text);
      if (!body) continue;
      taken = openBody.lastIndex;
    }
    spans.push({ from, to: taken });
  }
  return spans;
}

function spansOf(pattern: RegExp, text: string): Span[] {
  return [...text.matchAll(pattern)].map(({ index, 0: { length } }) => ({ from: index, to: index + length }));
}

/** Sorts spans by position and keeps the first of two that overlap. */
function withoutOverlap(spans: Span[]): Span[] {
  let end = 0;
  return spans
    .sort((one, other) => one.from - other.from || other.to - one.to)
    .filter(({ from, to }) => {
      if (from < end) return false;
      end = to;
      return true;
    });
}

interface Form {
  /** A text without this substring has no such token. Searching for it is fast. */
  readonly hint: string;
  readonly pattern: RegExp;
}

/** A token is not part of a longer word: no character that tokens consist of is directly before or after it. */
function form(hint: string, body: string): Form {
  return { hint, pattern: new RegExp(`(?<![A-Za-z0-9_-])(?:${body})(?![A-Za-z0-9])`, 'g') };
}

/**
 * Secrets that providers issue, by the prefixes that they have published so that secrets can be found. Public keys and
 * account names are not in this list.
 */
const forms: readonly Form[] = [
  form('ak_', 'ak_[A-Za-z0-9]{29,128}'),
  form('agk_', 'agk_[A-Za-z0-9]{29,128}'),
  form('vk_', 'vk_[A-Za-z0-9]{29,128}'),
  // Amazon, Google, Microsoft, Cloudflare, DigitalOcean, Alibaba, Heroku
  form('A', '(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}'),
  form('AIza', 'AIza[A-Za-z0-9_-]{35}'),
  form('GOCSPX-', 'GOCSPX-[A-Za-z0-9_-]{28}'),
  form('ya29.', 'ya29\\.[A-Za-z0-9_-]{20,2000}'),
  form('1//0', '1//0[A-Za-z0-9_-]{30,200}'),
  form('8Q~', '[A-Za-z0-9_~.]{3}\\dQ~[A-Za-z0-9_~.-]{31,34}'),
  form('do', 'do[opr]_v1_[a-f0-9]{64}'),
  form('LTAI', 'LTAI[A-Za-z0-9]{17,21}'),
  form('HRKU-', 'HRKU-[A-Za-z0-9_-]{36,64}'),
  // Code and packages
  form('gh', 'gh[pousr]_[A-Za-z0-9]{36,251}'),
  form('github_pat_', 'github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}'),
  form('gl', 'gl(?:pat|oas|dt|rt|rtr|cbt|ptt|ft|imt|agent|soat)-[A-Za-z0-9_.-]{19,299}[A-Za-z0-9_-]'),
  form('npm_', 'npm_[A-Za-z0-9]{36}'),
  form('pypi-', 'pypi-[A-Za-z0-9_-]{50,400}'),
  form('rubygems_', 'rubygems_[a-f0-9]{48}'),
  form('dckr_', 'dckr_(?:pat|oat)_[A-Za-z0-9_-]{27,40}'),
  form('ATATT3', 'ATATT3[A-Za-z0-9_=-]{100,300}'),
  form('.atlasv1.', '[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_=-]{60,80}'),
  form('hvs.', 'hvs\\.[A-Za-z0-9_-]{24,200}'),
  form('dp.', 'dp\\.(?:pt|st|ct|sa|scim|audit)\\.(?:[a-z0-9_-]{2,35}\\.)?[A-Za-z0-9]{40,44}'),
  form('pul-', 'pul-[a-f0-9]{40}'),
  form('PMAK-', 'PMAK-[a-f0-9]{24}-[a-f0-9]{34}'),
  form('tskey-', 'tskey-[a-z]+-[A-Za-z0-9]{8,20}(?:CNTRL)?-[A-Za-z0-9]{16,40}'),
  // Models
  form('sk-', 'sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,250}'),
  form('sk-', 'sk-[A-Za-z0-9]{48}|sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}'),
  form('sk-ant-', 'sk-ant-[a-z0-9]{3,12}-[A-Za-z0-9_-]{20,200}'),
  form('sk-or-', 'sk-or-v1-[a-f0-9]{64}'),
  form('hf_', 'hf_[A-Za-z0-9]{34,40}'),
  form('gsk_', 'gsk_[A-Za-z0-9]{52}'),
  form('xai-', 'xai-[A-Za-z0-9]{80}'),
  form('r8_', 'r8_[A-Za-z0-9]{37}'),
  form('pplx-', 'pplx-[A-Za-z0-9]{48,56}'),
  // Messages and mail
  form('xox', 'xox[abeoprs](?:\\.xox[bp])?-[A-Za-z0-9-]{20,250}'),
  form('xapp-', 'xapp-\\d-[A-Z0-9]{5,20}-\\d{5,20}-[a-f0-9]{32,80}'),
  form('hooks.slack.com', 'hooks\\.slack\\.com/(?:services|workflows|triggers)/[A-Za-z0-9/]{20,120}'),
  form('/api/webhooks/', 'discord(?:app)?\\.com/api/webhooks/\\d{15,20}/[A-Za-z0-9_-]{60,80}'),
  form('.', '[MNO][A-Za-z0-9_-]{23,25}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,38}'),
  form(':AA', '\\d{8,10}:AA[A-Za-z0-9_-]{33}'),
  form('SG.', 'SG\\.[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43}'),
  form('key-', 'key-[a-f0-9]{32}'),
  form('-us', '[a-f0-9]{32}-us\\d{1,2}'),
  form('xkeysib-', 'xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}'),
  // Money and shops
  form('k_', '[sr]k_(?:live|test)_[A-Za-z0-9]{16,247}'),
  form('whsec_', 'whsec_[A-Za-z0-9+/]{24,88}={0,2}'),
  form('shp', 'shp(?:at|ca|pa|ss|ua)_[a-fA-F0-9]{32}'),
  form('sq0', 'sq0(?:atp|csp)-[A-Za-z0-9_-]{22,60}'),
  // Tools
  form('lin_', 'lin_(?:api|oauth)_[A-Za-z0-9]{40,64}'),
  form('ntn_', 'ntn_[A-Za-z0-9]{40,60}'),
  form('secret_', 'secret_[A-Za-z0-9]{43}'),
  form('dapi', 'dapi[a-f0-9]{32}(?:-\\d)?'),
  form('gl', 'glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}|glc_[A-Za-z0-9+/=]{40,200}'),
  form('NRAK-', 'NRAK-[A-Z0-9]{27}'),
  form('figd_', 'figd_[A-Za-z0-9_-]{40,60}'),
  form('pat', 'pat[A-Za-z0-9]{14}\\.[a-f0-9]{64}'),
  form('sntry', 'sntry[su]_[A-Za-z0-9+/=_-]{60,250}'),
  form('sbp_', 'sbp_[a-f0-9]{40}'),
  form('pscale_', 'pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,64}'),
  form('eyJ', 'eyJ[A-Za-z0-9_-]{8,8000}(?:\\.[A-Za-z0-9_-]{0,8000}){1,3}\\.[A-Za-z0-9_-]{16,8000}'),
];

/** A secret by the name before it. Both looks ahead are bounded, so that a text of names takes linear time. */
function named10(name: string): RegExp {
  const one = '[^\\s"\'`<>,;()\\[\\]{}]';
  const secret = `(?=${one}{0,128}\\d)(?=${one}{0,128}[A-Za-z])${one}{10,128}`;
  return new RegExp(`(?<![A-Za-z0-9])${name}["']?\\s{0,4}[:=]\\s{0,4}["'\`]?(${secret})`, 'dgi');
}

/** Tokens without a form of their own, recognized by the name before them. The first group is the token. */
const named: readonly Form[] = [
  {
    hint: 'ecret',
    pattern:
      /(?:secret[ _-]?(?:access[ _-]?)?key|SecretAccessKey)["']?\s{0,4}[:=]{1,2}\s{0,4}["']?([A-Za-z0-9/+=]{40})(?![A-Za-z0-9/+=])/dgi,
  },
  { hint: 'ccount', pattern: /(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{43,86}={1,2})/dg },
  {
    hint: 'asic',
    pattern: /authorization["']?\s{0,4}[:=]\s{0,4}["']?basic\s{1,4}([A-Za-z0-9+/_-]{8,1000}={0,2})/dgi,
  },
  // A word after them is none: "password: required". With ten characters, letters and digits it is one.
  { hint: 'assw', pattern: named10('pass(?:word|wd)') },
  { hint: 'ey', pattern: named10('(?:api|access)[ _-]?key') },
  {
    hint: '://',
    pattern: /(?<![A-Za-z0-9+.-])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/?#"'<>]{0,64}:([^\s@/?#"'<>[\]]{1,128})@/dgi,
  },
];

/** Finds keys and tokens of well-known providers, passwords in URLs, and the keys of this service. */
export function tokens(text: string): Span[] {
  const spans: Span[] = [];
  for (const { hint, pattern } of forms) {
    if (!text.includes(hint)) continue;
    for (const { index, 0: match } of text.matchAll(pattern)) {
      if (!isPlaceholder(match)) spans.push({ from: index, to: index + match.length });
    }
  }
  for (const { hint, pattern } of named) {
    if (!text.includes(hint) && !text.includes(hint.toUpperCase())) continue;
    for (const { indices, 1: match = '' } of text.matchAll(pattern)) {
      const place = indices?.[1];
      if (place && (hint === '://' || !isPlaceholder(match))) spans.push({ from: place[0], to: place[1] });
    }
  }
  return withoutOverlap(spans);
}

/** Whether it ends like a placeholder in a manual: xxxxxxxxxxxx, 000000000000. */
function isPlaceholder(token: string): boolean {
  return new Set(token.slice(-12)).size < 4;
}
