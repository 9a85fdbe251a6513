import { describe, expect, it } from 'vitest';
import { classesOf } from '../../../src/domain/tokens/query.js';
import type { Token } from '../../../src/domain/tokens/word.js';

const shown = ({ text, mark }: Token) => (mark === 'form' ? `≈${text}` : mark === 'beginning' ? `${text}…` : text);
const asked = (query: string) =>
  Object.fromEntries(
    classesOf(query).map(({ word, share, tokens }) => [
      `${word} ${share}`,
      tokens.map((token) => `${shown(token)} ${token.share}`).join(', '),
    ]),
  );

describe('the classes of a query', () => {
  // @covers SEARCH-CODES
  it.each([
    ['crane', { 'crane 1': 'crane 1, ≈crane 0.95' }],
    ['café', { 'café 1': 'café 1, ≈café 0.95, cafe 0.95, ≈cafe 0.95' }],
    ['v16', { 'v16 1': 'v16 1, ≈v16 0.95, 16 0.95', 'v 0.4': 'v 1, ≈v 0.95', '16 0.4': '16 1, ≈16 0.95' }],
    ['a94a8fe', { 'a94a8fe 1': 'a94a8fe 1, ≈a94a8fe 0.95, a94a8fe… 0.8' }],
    [
      'sign-in',
      {
        'sign-in 1': 'sign-in 1, ≈sign-in 0.95, signin 0.95, ≈signin 0.95',
        'sign 0.6': 'sign 1, ≈sign 0.95',
        'in 0.6': 'in 1, ≈in 0.95',
      },
    ],
    [
      'rules.d/crane.conf',
      {
        'rules.d/crane.conf 1': 'rules.d/crane.conf 1, ≈rules.d/crane.conf 0.95',
        'rules 0.6': 'rules 1, ≈rules 0.95',
        'crane 0.6': 'crane 1, ≈crane 0.95',
        'conf 0.6': 'conf 1, ≈conf 0.95',
        'rules.d 0.6': 'rules.d 1, ≈rules.d 0.95',
        'd/crane 0.6': 'd/crane 1, ≈d/crane 0.95',
        'crane.conf 0.6': 'crane.conf 1, ≈crane.conf 0.95',
      },
    ],
    ['C++', { 'c++ 1': 'c++ 1, ≈c++ 0.95' }],
    [
      'v16.4',
      {
        'v16.4 1': 'v16.4 1, ≈v16.4 0.95, 16.4 0.95',
        '16 0.6': '16 1, ≈16 0.95',
      },
    ],
    [
      'keepAlive',
      {
        'keepalive 1': 'keepalive 1, ≈keepalive 0.95',
        'keep 0.6': 'keep 1, ≈keep 0.95',
        'alive 0.6': 'alive 1, ≈alive 0.95',
      },
    ],
  ])('of %s', (query, classes) => {
    expect(asked(query)).toEqual(classes);
  });

  // @covers SEARCH-CODES
  it('finds codes that are written in another way', () => {
    expect(Object.keys(asked('LH456'))).toEqual(['lh456 1', 'lh 0.4', '456 0.4']);
    expect(Object.keys(asked('LH 456'))).toEqual(['lh 1', '456 1', 'lh456 1']);
    expect(asked('LH-456')['lh-456 1']).toContain('lh456 0.95');
  });

  it('counts classes with the same tokens once, with the greater share', () => {
    expect(asked('crane crane/crane')).toMatchObject({ 'crane 1': 'crane 1, ≈crane 0.95' });
    expect(Object.keys(asked('crane crane'))).toEqual(['crane 1']);
  });

  it('looks for a name with an apostrophe as one word too', () => {
    expect(asked('O’Brien')['obrien 0.6']).toBe('≈obrien 1, obrien 0.95');
  });

  it('says which words are plain, because only for these are similar ones looked for', () => {
    expect(classesOf('Lisbao R&D sign-in').map(({ word, plain }) => [word, plain])).toEqual([
      ['lisbao', true],
      ['r&d', false],
      ['sign-in', false],
      ['sign', false],
      ['in', false],
    ]);
  });
});
