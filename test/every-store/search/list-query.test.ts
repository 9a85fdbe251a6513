import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { matchingMemories } from '../../../projections/search/queries.js';
import type { Caller } from '../../../src/domain/caller.js';
import { tokensOfText } from '../../../src/domain/tokens/cut.js';
import { classesOf } from '../../../src/domain/tokens/query.js';
import { newStore, type Store } from '../../maintenance/store.js';
import { foundByWords } from '../../search/finding.js';
import { searchedWith } from '../../search/searched.js';

const texts = {
  address: 'See https://api.pier.example/v2/berths?id=4 for the berths.',
  path: 'The notes are in ~/logs/crane.md since May',
  config: 'edit /srv/quay/crane.conf, then restart',
  script: 'Start it with ./run.sh --verbose',
  research: 'The R&D budget grew',
  letters: 'Rooms R D and E',
  vitamin: 'Vitamin C helps',
  cpp: 'She writes C++ and C#',
  dotnet: 'The service runs on .NET 8',
  fishing: 'A fishing net lay there',
  hamlet: 'He said: to be, or not to be.',
  being: 'It wants to be blue',
  cranes: 'Three craneworks were built',
  plural: 'Two cranes stood there',
  cafe: 'A café noir in the morning',
  cafes: 'plain cafe without marks',
  mueller: 'Müller lives in the Hauptstraße',
  sigma: 'λόγος came first',
  version: 'Postgres v16.4.2 was installed',
  sixteen: 'Sixteen, that is 16, boats',
  signIn: 'Open the sign-in page',
  signin: 'Open the signin page',
  signUp: 'Sign the lease in May',
  ticket: 'Ticket BX-100821 is open',
  ticketPlain: 'Ticket BX100822 is closed',
  brien: 'Mr O’Brien called',
  weight: 'It weighs 40GB on disk',
  camel: 'set keepAliveTimeout to five',
  equation: 'run with mode=fast today',
  beijing: '我住在北京市',
  cold: 'It was −12 °C outside',
  dozen: 'There were 12 of them',
  money: 'It costs 1,250 euros',
  moneyDots: 'Es kostet 1.250 Euro',
  mail: 'Write to ana@pier.example soon',
  email: 'my e-mail address',
  emailPlain: 'my email address',
  post: 'the mail came',
  cake: 'Cake 🎂 for all',
  table: 'column tide_table has no index',
  ellipsis: 'wait...what',
  flight: 'Flight LH456 was late',
  flights: 'Both LH 456 and LH 457 were late',
  deep: 'stored at data/a/b/crane.tar.gz today',
} as const;
type Name = keyof typeof texts;

let store: Store;
let caller: Caller;
const names = new Map<string, Name>();
beforeAll(async () => {
  store = await newStore();
  caller = await store.openWorkspace();
  for (const [name, text] of Object.entries(texts)) names.set(await store.add(caller, text), name as Name);
  await store.ingest();
}, 120_000);
afterAll(() => store.close());

async function found(q: string): Promise<string[]> {
  const ids = await store.database.read(async (tx) => {
    const all: string[] = [];
    const query = { namespaceIds: caller.namespaceIds, q, beforeSeq: null };
    for await (const some of matchingMemories(tx, searchedWith(), query)) all.push(...some.map((one) => one.memoryId));
    return all;
  });
  return ids.map((id) => names.get(id) ?? id).sort();
}

describe('q finds', () => {
  // @covers LIST-Q
  test.each<[string, Name[]]>([
    ['https://api.pier.example/v2/berths?id=4', ['address']],
    ['https://api.pier.example/v2/berths', ['address']],
    ['api.pier.example', ['address']],
    ['pier.example/v2', ['address']],
    ['~/logs/crane.md', ['path']],
    ['logs/crane.md', ['path']],
    ['./run.sh', ['script']],
    ['run.sh', ['script']],
    ['--verbose', ['script']],
    ['R&D', ['letters', 'research']],
    ['"R&D budget"', ['research']],
    ['C++', ['cpp']],
    ['c#', ['cpp']],
    ['"writes C++ and C#"', ['cpp']],
    ['"vitamin C"', ['vitamin']],
    ['.NET', ['dotnet']],
    ['"on .NET 8"', ['dotnet']],
    ['net', ['dotnet', 'fishing']],
    ['crane', ['config', 'deep', 'path', 'plural']],
    ['"crane"', ['config', 'deep', 'path', 'plural']],
    ['/srv/quay/crane.conf', ['config']],
    ['quay/crane', ['config']],
    ['"srv quay crane conf"', ['config']],
    ['"quay srv"', []],
    ['to be or not to be', ['hamlet']],
    ['"to be or not to be"', ['hamlet']],
    ['"to be"', ['being', 'hamlet']],
    ['"not to be" OR "in the"', ['cafe', 'hamlet', 'mueller']],
    ['"to to"', []],
    ['cafe', ['cafe', 'cafes']],
    ['CAFÉ', ['cafe', 'cafes']],
    ['"cafe noir"', ['cafe']],
    ['"café without"', ['cafes']],
    ['muller', ['mueller']],
    ['mueller', ['mueller']],
    ['hauptstrasse', ['mueller']],
    ['ΛΌΓΟΣ', ['sigma']],
    ['λογοσ', ['sigma']],
    ['v16.4.2', ['version']],
    ['16.4', ['version']],
    ['16.4.2', ['version']],
    ['sign-in', ['signIn', 'signUp', 'signin']],
    ['signin', ['signIn', 'signin']],
    ['"sign in page"', ['signIn']],
    ['BX100821', ['ticket']],
    ['bx-100821', ['ticket']],
    ['bx-100822', ['ticketPlain']],
    ['bx-1008', []],
    ['BX 100821', ['ticket']],
    ['BX 100822', ['ticketPlain']],
    ['LH 456', ['flight', 'flights']],
    ['late LH 457', ['flights']],
    ['"LH 456"', ['flights']],
    ['LH456', ['flight']],
    ['OBrien', ['brien']],
    ["O'Brien", ['brien']],
    ['40 GB', ['weight']],
    ['40gb', ['weight']],
    ['timeout', ['camel']],
    ['"alive timeout"', []],
    ['mode=fast', ['equation']],
    ['fast=mode', []],
    ['北京', ['beijing']],
    ['北京市', ['beijing']],
    ['京北', []],
    ['−12', ['cold']],
    ['"-12 °C"', ['cold']],
    ['12 -boats', ['cold', 'dozen']],
    ['1250', ['money', 'moneyDots']],
    ['1.250', ['money', 'moneyDots']],
    ['ana@pier.example', ['mail']],
    ['e-mail', ['email', 'emailPlain']],
    ['"my e-mail address"', ['email', 'emailPlain']],
    ['mail', ['email', 'post']],
    ['🎂', ['cake']],
    ['cake -🎂', []],
    ['tide-table', ['table']],
    ['"wait what"', ['ellipsis']],
    ['a/b/crane.tar', ['deep']],
    ['b/a/crane.tar', []],
    ['crane -cranes', []],
    ['crane -"logs crane"', ['config', 'deep', 'plural']],
    ['crane -/srv/quay/crane.conf -deep', ['deep', 'path', 'plural']],
    ['vitamin OR budget', ['research', 'vitamin']],
    ['vitamin or budget -grew', ['vitamin']],
    ['“vitamin C”', ['vitamin']],
  ])('%s', async (q, expected) => {
    expect(await found(q)).toEqual(expected.sort());
  });
});

test('each text finds itself, as a phrase', async () => {
  for (const [name, text] of Object.entries(texts)) {
    expect([name, await found(`"${text}"`)]).toEqual([name, expect.arrayContaining([name])]);
  }
});

test('what search finds by a single exact word, q finds too', async () => {
  const searching = { ...searchedWith(), database: store.database, caller };
  const given = Object.values(texts).flatMap((text) => [...tokensOfText(text)].map((token) => token.text));
  const words = [...new Set(given)].filter((word) => classesOf(word).length === 1);
  expect(words.length).toBeGreaterThan(60);
  const check = async (word: string) => {
    const tokens = classesOf(word).flatMap((one) => one.tokens.filter(({ share }) => share >= 0.95));
    const asked = new Set(tokens.map(({ text, mark }) => `${mark} ${text}`));
    const exact = Object.entries(texts).filter(([, text]) =>
      [...tokensOfText(text)].some(({ text, mark }) => asked.has(`${mark} ${text}`)),
    );
    const byWords = [...(await foundByWords(searching, [word])).keys()].map((id) => names.get(id));
    const listed = await found(word);
    for (const [name] of exact) {
      if (byWords.includes(name as Name)) expect([word, listed]).toEqual([word, expect.arrayContaining([name])]);
    }
    // By a word without signs, if it is no stop word, nothing is found but what search finds, which has similar words and beginnings too.
    if (byWords.length > 0 && /^[\p{L}\p{N}]+$/u.test(word))
      for (const name of listed) expect([word, byWords]).toEqual([word, expect.arrayContaining([name])]);
  };
  await fc.assert(fc.asyncProperty(fc.constantFrom(...words), check), { numRuns: 60 });
}, 60_000);
