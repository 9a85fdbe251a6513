import { describe, expect, it } from 'vitest';
import { identity } from '../../src/pages/components/identity.js';
import { said, withMarks } from '../../src/pages/components/said.js';
import { time } from '../../src/pages/components/time.js';

const text = (html: string) => html.replace(/<[^>]*>/g, '');

describe('the parts of pages', () => {
  it.each([
    ['2026-11-22T11:59:30.000Z', 'just now'],
    ['2026-11-22T11:59:00.000Z', '1 min ago'],
    ['2026-11-22T11:00:01.000Z', '59 min ago'],
    ['2026-11-22T11:00:00.000Z', '1 h ago'],
    ['2026-11-21T12:00:01.000Z', '23 h ago'],
    ['2026-11-21T12:00:00.000Z', '21 Nov, 12:00'],
    ['2025-12-31T23:59:59.000Z', '31 Dec 2025'],
    ['2026-11-22T12:00:10.000Z', 'in a moment'],
    ['2026-11-22T13:30:00.000Z', 'in 1 h'],
    ['2026-11-25T13:30:00.000Z', '25 Nov, 13:30'],
  ])('say %s as %s', (iso, words) => {
    const shown = time(iso, Date.parse('2026-11-22T12:00:00.000Z')).text;
    expect(text(shown)).toBe(words);
    expect(shown).toContain(`datetime="${iso}"`);
    expect(shown).toContain(`title="${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC"`);
  });

  it.each([
    ['rcp_0192f0c4800070008000000000000abc', 'rcp_0192f0c4…000abc'],
    ['0192f0c4-8000-7000-8000-00000000000a', '0192f0c4…00000a'],
    ['short', 'short'],
  ])('shorten %s in the middle and keep all of it as the title', (id, shown) => {
    const { text: html } = identity(id);
    expect([text(html), html.includes(`title="${id}"`)]).toEqual([shown, true]);
  });

  it('show characters that cannot be seen by their code points, and escape everything else', () => {
    const hostile = 'a\u202Eb\u200Bc\u0007d\uE000e\u{E0041}f\n\t<b>&"';
    const { text: html } = said(hostile);
    expect(html).toBe(
      '<bdi dir="auto">a<span class="mark">U+202E</span>b<span class="mark">U+200B</span>c<span class="mark">U+0007</span>' +
        'd<span class="mark">U+E000</span>e<span class="mark">U+E0041</span>f\n\t&lt;b&gt;&amp;&quot;</bdi>',
    );
  });

  it('show them on a whole page too, but in fields and addresses', () => {
    const page =
      '<title>a\u202E</title><a title="b\u202E">c\u202E</a><option>d\u202E</option><textarea>\ne\u202E</textarea>';
    expect(withMarks(page)).toBe(
      '<title>aU+202E</title><a title="b\u202E">c<span class="mark">U+202E</span></a><option>dU+202E</option><textarea>\ne\u202E</textarea>',
    );
    expect(withMarks('<p>a\r\n\tb</p>\n')).toContain('a<span class="mark">U+000D</span>\n\tb');
    expect(withMarks('<p>plain</p>')).toBe('<p>plain</p>');
  });
});
