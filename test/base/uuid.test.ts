import { expect, it } from 'vitest';
import { isUuid, isWrittenUuid } from '../../src/base/world.js';

it.each([
  ['0198c5a2-7b1e-7c3d-8e4f-00112233aabb', true, true],
  ['0198C5A2-7B1E-7C3D-8E4F-00112233AABB', true, false],
  ['0198c5a27b1e7c3d8e4f00112233aabb', false, false],
  ['{0198c5a2-7b1e-7c3d-8e4f-00112233aabb}', false, false],
  ['0198c5a2-7b1e-7c3d-8e4f-00112233aabb\n', false, false],
  ['0198c5a2-7b1e-7c3d-8e4f-00112233aabg', false, false],
  ['', false, false],
])('%j: a UUID %s, as it is written here %s', (text, anyCase, written) => {
  expect([isUuid(text), isWrittenUuid(text)]).toEqual([anyCase, written]);
});
