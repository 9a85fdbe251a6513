import { type NoteCase, noteCase } from './notes-case.js';

const body = 'Ships leave at noon.';

/** A note whose front matter is no YAML, or not what it seems: its text is kept. */
const broken = (name: string, lines: readonly string[], reason: string) =>
  noteCase(`broken/${name}.md`, `${['---', ...lines, '---', body].join('\n')}\n`, {
    content: `# ${name}\n\n${body}`,
    title: name,
    imported: { front_matter: lines.map((line) => `${line}\n`).join('') },
    assumed: [`its front matter is kept as the text imported.front_matter, because it is no YAML: ${reason}`],
  });

/** A note that begins with a text between two rules. */
const between = (name: string, lines: readonly string[]) =>
  noteCase(`broken/${name}.md`, `${['---', ...lines, '---', body].join('\n')}\n`, {
    content: [`# ${name}`, '', '---', ...lines, '---', body].join('\n'),
    title: name,
    assumed: ['its front matter stays in the text of the memory: it is not a mapping'],
  });

const bomb = Array.from({ length: 12 }, (_, n) => `x${n + 1}: &x${n + 1} [${Array(9).fill(`*x${n}`).join(', ')}]`);

export function brokenNotes(): NoteCase[] {
  return [
    broken('colon', ['title: Harbour: North', 'tags: [pier]'], 'Nested mappings are not allowed'),
    broken('bracket', ['title: Pier', 'tags: [a, b'], ''),
    broken('quote', ['title: "Pier', 'tags: a'], ''),
    broken('tab', ['a:', '\tb: c'], ''),
    broken('at-sign', ['owner: @ada'], ''),
    broken('percent', ['rate: %5'], ''),
    broken('twice', ['version: 1.0', 'version: 1.1'], 'it has the key "version" twice'),
    broken('twice-inside', ['a: {x: 1, x: 2}'], 'it has the key "x" twice'),
    between('list', ['- one', '- two']),
    between('prose', ['This is a text between two rules.']),
    broken('list-key', ['? [a, b]', ': c'], 'it has a key that is no text'),
    broken('bomb', ['x0: &x0 [lol]', ...bomb], 'it stands for more than 10000 values'),
    broken('itself', ['a: &a [1, *a]'], 'it is nested deeper than 24 levels, or contains itself'),
    broken('deep', [`a: ${'['.repeat(300)}1${']'.repeat(300)}`], 'it is nested deeper than 24 levels'),
    broken('no-anchor', ['a: *nowhere'], ''),
    broken('two-documents', ['a: 1', '...', 'b: 2'], ''),
    broken('nul', ['a: "\\0"'], 'it has a character that no text may have'),
    broken('template', ['title: {{title}}', 'date: {{date}}'], ''),
  ];
}
