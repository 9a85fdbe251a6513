import { fact, link, type NoteCase, noteCase } from './notes-case.js';

const tea = [
  '# Green tea',
  '',
  '## Observations',
  '- [method] Steep for two minutes #tea #time (at 80 °C)',
  '- [fact] Not fermented',
  '',
  '## Relations',
  '- part_of [[Drinks]]',
  '- "goes well with" [[Rice Cakes]] (at noon)',
  '- see also [[Cups]] and [[Kettles]]',
  '',
];
const teaFront = [
  '---',
  'title: Green tea',
  'type: recipe',
  'tags:',
  '- tea',
  '- drinks',
  'permalink: drinks/green-tea',
  '---',
  '',
];
const teaNote = (end: string) => ({
  content: tea.join(end).trimEnd(),
  title: 'Green tea',
  type: 'recipe',
  tags: ['tea', 'drinks'],
  permalink: 'drinks/green-tea',
  observations: [
    fact('method', 'Steep for two minutes #tea #time', ['tea', 'time'], 'at 80 °C'),
    fact('fact', 'Not fermented'),
  ],
  relations: [
    link('Drinks', 'part_of'),
    link('Rice Cakes', 'goes well with', 'at noon'),
    link('Cups'),
    link('Kettles'),
  ],
});

const ends = { lf: '\n', crlf: '\r\n', cr: '\r' } as const;

/** The same note with each end of a line, with and without a byte order mark. */
function lineEnds(): NoteCase[] {
  return Object.entries(ends).flatMap(([name, end]) => {
    const text = [...teaFront, ...tea].join(end);
    return [
      noteCase(`ends/${name}.md`, text, teaNote(end)),
      noteCase(`ends/${name}-with-mark.md`, `\ufeff${text}`, teaNote(end)),
    ];
  });
}

function obsidian(): NoteCase[] {
  return [
    noteCase(
      'obsidian/Daily Note.md',
      '---\naliases: [Today]\ncssclasses:\n  - wide\ntags: "#daily, #log"\n---\n> [!info] Weather\n> - [wind] strong\n\n- [ ] Buy rope #todo\n- [x] Paint [[Boat|the boat]]\n![[map.png]]\n',
      {
        content:
          '# Daily Note\n\n> [!info] Weather\n> - [wind] strong\n\n- [ ] Buy rope #todo\n- [x] Paint [[Boat|the boat]]\n![[map.png]]',
        title: 'Daily Note',
        tags: ['daily', 'log'],
        imported: { aliases: ['Today'], cssclasses: ['wide'] },
        relations: [link('Boat|the boat'), link('map.png')],
      },
    ),
    noteCase(
      'obsidian/Dataview.md',
      'rating:: 5\n\n```dataview\n- [list] from [[Boats]]\n```\n\n- Sails are red #boat\n',
      {
        content: '# Dataview\n\nrating:: 5\n\n```dataview\n- [list] from [[Boats]]\n```\n\n- Sails are red #boat',
        title: 'Dataview',
        observations: [fact(null, 'Sails are red #boat', ['boat'])],
      },
    ),
  ];
}

function logseq(): NoteCase[] {
  return [
    noteCase(
      'logseq/2025_01_02.md',
      'tags:: log, sea\n- Met [[Grace]] at the pier #meeting\n\t- [fact] She sails\n\t  collapsed:: true\n',
      {
        content:
          '# 2025_01_02\n\ntags:: log, sea\n- Met [[Grace]] at the pier #meeting\n\t- [fact] She sails\n\t  collapsed:: true',
        title: '2025_01_02',
        observations: [fact(null, 'Met [[Grace]] at the pier #meeting', ['meeting']), fact('fact', 'She sails')],
        relations: [link('Grace')],
      },
    ),
  ];
}

function unusual(): NoteCase[] {
  return [
    noteCase('unusual/empty.md', '', { content: '# empty', title: 'empty' }),
    noteCase('unusual/only-front-matter.md', '---\ntitle: Alone\n---\n', { content: '# Alone', title: 'Alone' }),
    noteCase('unusual/empty-front-matter.md', '---\n---\ntext', {
      content: '# empty-front-matter\n\ntext',
      title: 'empty-front-matter',
    }),
    noteCase('unusual/no-end.md', '---\ntitle: Open\n', {
      content: '# no-end\n\n---\ntitle: Open',
      title: 'no-end',
      assumed: ['it begins with a line of three hyphens, and no second one'],
    }),
    noteCase('unusual/comments.md', '---\n# of the harbour\ntags: #sea #log\nowner: Ada # since 2020\n---\ntext\n', {
      content: '# comments\n\ntext',
      title: 'comments',
      imported: { owner: 'Ada' },
      assumed: ['comments in its front matter are not read: # of the harbour #sea #log # since 2020'],
    }),
    noteCase('unusual/toml.md', '+++\ntitle = "Pier"\n+++\ntext\n', {
      content: '# toml\n\n+++\ntitle = "Pier"\n+++\ntext',
      title: 'toml',
      assumed: ['its front matter is TOML'],
    }),
    noteCase('unusual/rule-inside.md', '---\na: "x\u2028---"\n---\none\n\n---\n\ntwo', {
      content: '# rule-inside\n\none\n\n---\n\ntwo',
      title: 'rule-inside',
      imported: { a: 'x\u2028---' },
    }),
    noteCase('unusual/code-first.md', '\n\n    indented code\n\ntext  \n\n', {
      content: '# code-first\n\n    indented code\n\ntext',
      title: 'code-first',
    }),
    noteCase(
      'unusual/Größe – 大きさ 🌊.md',
      '---\ntitle: 大きさ\ntags: [größe, ﷽]\n---\n- [größe] zwölf #maß\u2028mehr\n- liegt_in [[Übersee]]\n',
      {
        content: '# 大きさ\n\n- [größe] zwölf #maß\u2028mehr\n- liegt_in [[Übersee]]',
        title: '大きさ',
        tags: ['größe', '﷽'],
        observations: [fact('größe', 'zwölf #maß\u2028mehr', ['maß'])],
        relations: [link('Übersee', 'liegt_in')],
      },
    ),
    noteCase(
      'unusual/lists.md',
      '1. [step] Cast off\n2) [step] Set sail\n+ [note] Plus\n* [note] Star\n   - [note] Deep\n[no] paragraph\n',
      {
        content:
          '# lists\n\n1. [step] Cast off\n2) [step] Set sail\n+ [note] Plus\n* [note] Star\n   - [note] Deep\n[no] paragraph',
        title: 'lists',
        observations: [
          fact('step', 'Cast off'),
          fact('step', 'Set sail'),
          ...['Plus', 'Star', 'Deep'].map((text) => fact('note', text)),
        ],
      },
    ),
    noteCase('unusual/long-line.md', `- [fact] ${'wave '.repeat(1000)}\n- [fact] short\n`, {
      content: `# long-line\n\n- [fact] ${'wave '.repeat(1000)}\n- [fact] short`,
      title: 'long-line',
      observations: [fact('fact', 'short')],
      assumed: ['1 long line was not searched'],
    }),
    noteCase('unusual/large-front-matter.md', `---\na: ${'x'.repeat(70_000)}\n---\ntext\n`, {
      content: `# large-front-matter\n\n---\na: ${'x'.repeat(70_000)}\n---\ntext`,
      title: 'large-front-matter',
      assumed: ['its front matter stays in the text of the memory: it has more than 65,536 characters'],
    }),
    noteCase('unusual/utf-16.md', Buffer.from('\ufeff---\r\ntitle: Wide\r\n---\r\n- [fact] größer\r\n', 'utf16le'), {
      content: '# Wide\n\n- [fact] größer',
      title: 'Wide',
      observations: [fact('fact', 'größer')],
    }),
    noteCase('unusual/latin-1.md', Buffer.from('caf\xe9, cr\xe8me, br\xfbl\xe9e\n', 'latin1'), {
      refused: 'it is not UTF-8, and its charset is not certain',
    }),
    noteCase('unusual/binary.md', Buffer.from('a\0b'), { refused: 'it holds binary data' }),
  ];
}

export const noteDialects = (): NoteCase[] => [...lineEnds(), ...obsidian(), ...logseq(), ...unusual()];
