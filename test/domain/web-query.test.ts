import { expect, it } from 'vitest';
import { withoutLongNegations } from '../../src/domain/web-query.js';

it('makes long runs of negations short and leaves every other query as it is', () => {
  for (const query of ['', 'a -b "c -- d" OR e', '-'.repeat(15), `x${'-'.repeat(15)}y`, 'a-b-c '.repeat(300)]) {
    expect(withoutLongNegations(query)).toBe(query);
  }
  expect(withoutLongNegations(`heron ${'-'.repeat(33)}egret`)).toBe('heron  -egret');
  expect(withoutLongNegations(`heron ${'- '.repeat(40)}egret`)).toBe('heron  egret');
  expect(withoutLongNegations(`heron${'-'.repeat(33)}egret`)).toBe('heron egret');
  expect(withoutLongNegations(`"heron" ${'-('.repeat(101)}x`)).toBe('"heron"  -x');
  expect(withoutLongNegations('-'.repeat(2000))).toBe(' ');
});
