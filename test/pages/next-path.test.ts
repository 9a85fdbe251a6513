import { expect, it } from 'vitest';
import { pathOnThisOrigin } from '../../src/api/session/next-path.js';

// @covers PAGES-NEXT
it.each([
  ['/consent?id=a', '/consent?id=a'],
  ['/grants', '/grants'],
  ['/', '/'],
  ['/grants#top', '/grants'],
  ['/a/../grants?x=%2F%2Fevil.example', '/grants?x=%2F%2Fevil.example'],
])('%s is a page of this service', (text, path) => expect(pathOnThisOrigin(text)).toBe(path));

// @covers PAGES-NEXT
it.each([
  '',
  'grants',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\/evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r\nLocation: https://evil.example',
  '\t//evil.example',
  ' //evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/x/..//evil.example',
  '/%2e//evil.example',
  '/%2e%2e//evil.example',
  '/.\\/evil.example',
  '/x\\..\\\\evil.example',
  'https:evil.example',
  'https://evil.example',
  'http:/evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  '%2f%2fevil.example',
  '/\u2028/evil.example',
  '/\u0000',
  '/ä',
  '/@evil.example\\',
  `/${'x'.repeat(2048)}`,
])('%j is no page of this service', (text) => expect(pathOnThisOrigin(text)).toBeNull());

// @covers PAGES-NEXT
it('leads to this service as a browser reads it', () => {
  const origin = 'https://service.example';
  for (const text of ['/%2f/evil.example', '/@evil.example', '/:80', '/;//evil.example', '/?//evil.example']) {
    const path = pathOnThisOrigin(text);
    if (path !== null) expect(new URL(path, origin).origin).toBe(origin);
  }
});
