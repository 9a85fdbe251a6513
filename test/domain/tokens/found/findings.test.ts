import { expect, it } from 'vitest';
import { collectionOf } from './collection.js';

const scoreIn = (texts: readonly string[], query: string, text: string): number =>
  collectionOf(texts, 'exact')(query).find((hit) => hit.text === text)?.score ?? 0;

it.each([
  '/srv/quay/crane.conf',
  'https://crane.pier.example/d/a1/water-level',
  'crane.load()',
  'crane_yard',
])('finds a word inside of %s with at least half of the score of the word standing alone', (text) => {
  const alone = 'the big crane over there';
  const [inside, standing] = [text, alone].map((one) => scoreIn([text, alone, 'a ferry'], 'crane', one));
  expect(standing).toBeGreaterThan(0);
  expect(inside).toBeGreaterThanOrEqual((standing ?? 0) / 2);
});

// @covers SEARCH-CODES
it('ranks the memory of a whole path before those that have its parts more often', () => {
  const path = '/srv/quay/rules.d/crane.conf';
  const texts = [
    path,
    'srv srv quay quay crane crane conf conf',
    '/srv/quay/rules.d/winch.conf',
    '/opt/quay/crane.conf',
  ];
  for (const query of [path, 'quay/rules.d/crane.conf', '/srv/quay/rules.d']) {
    expect(collectionOf(texts, 'exact')(query)[0]?.text).toMatch(/^\/srv\/quay\/rules\.d/);
  }
  expect(collectionOf(texts, 'exact')(path)[0]?.text).toBe(path);
});

it.each([
  ['https://tides.pier.example/d/a1', 'read https://tides.pier.example/d/a1 first', 'see the tides'],
  ['~/logs/crane.md', 'it is in ~/logs/crane.md now', 'logs of the crane'],
  ['./run.sh', 'start ./run.sh', 'run it'],
  ['R&D', 'the R&D budget', 'r d'],
])('ranks the text that has %s as it was written first', (query, exact, other) => {
  expect(collectionOf([other, exact, 'a ferry'], 'exact')(query)[0]?.text).toBe(exact);
});

it('distinguishes C++ and C# from a single C', () => {
  const texts = ['vitamin C', 'written in C++', 'written in C#', 'plain C'];
  const found = (query: string) => collectionOf(texts, 'exact')(query).map(({ text }) => text);
  expect(found('C++')).toEqual(['written in C++']);
  expect(found('C#')).toEqual(['written in C#']);
  expect(found('C').sort()).toEqual(['plain C', 'vitamin C']);
});

it('puts the exact word before a form of it', () => {
  const search = collectionOf(['the cafe', 'the café', 'a ferry'], 'exact');
  expect(search('cafe').map(({ text }) => text)).toEqual(['the cafe', 'the café']);
  expect(search('café').map(({ text }) => text)).toEqual(['the café', 'the cafe']);
});
