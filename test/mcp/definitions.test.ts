import { describe, expect, it } from 'vitest';
import { openTokens } from '../../src/adapters/tokens.js';
import { isObject } from '../../src/base/json-text.js';
import { wordsOf } from '../../src/domain/words.js';
import { createRegistry, tools } from '../../src/mcp/offer.js';

const definitions = tools.map(({ definition }) => definition);

/** Every schema of a tool, with its path. */
function* schemasIn(schema: unknown, path: string): Iterable<[string, Record<string, unknown>]> {
  if (!isObject(schema)) throw new Error(`${path} is no schema`);
  yield [path, schema];
  if (isObject(schema.properties))
    for (const [name, property] of Object.entries(schema.properties)) yield* schemasIn(property, `${path}.${name}`);
  if (schema.items !== undefined) yield* schemasIn(schema.items, `${path}[]`);
}

const allowed = [
  'type',
  'description',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'default',
  'format',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
];

describe('the definitions of tools', () => {
  // @covers MCPT-ORDER MCPT-NAMES
  it('are in order, with names that every client takes', () => {
    expect(definitions.map(({ name }) => name)).toEqual([
      'remember',
      'recall',
      'forget',
      'get_context',
      'list_subscriptions',
      'record_action_batch',
      'subscribe',
      'unsubscribe',
    ]);
    for (const { name, title, description } of definitions) {
      expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(title.length * description.length).toBeGreaterThan(0);
    }
  });

  // @covers MCPT-SIZE
  it('have less than 12,000 characters and at most 2,400 tokens together', async () => {
    const text = JSON.stringify(definitions);
    expect(text.length).toBeLessThan(12_000);
    const budget = await openTokens();
    const { tokens } = await budget.fit(text, Number.MAX_SAFE_INTEGER);
    expect(tokens).toBeLessThanOrEqual(2400);
  });

  // @covers MCPT-SCHEMA MCPT-DESCRIBED
  it.each(definitions)('$name has a schema that every client takes', ({ inputSchema }) => {
    expect(inputSchema).toMatchObject({ type: 'object', properties: {}, additionalProperties: false });
    for (const [path, schema] of schemasIn(inputSchema, '')) {
      expect(
        Object.keys(schema).filter((key) => !allowed.includes(key)),
        path,
      ).toEqual([]);
      expect(typeof schema.type, path).toBe('string');
      expect(schema.type === 'array', path).toBe(schema.items !== undefined);
      if (path !== '') expect(schema.description, path).toMatch(/\S/);
      if (schema.format !== undefined) expect(['uuid', 'uri', 'date-time'], path).toContain(schema.format);
    }
  });

  // @covers MCPT-HINTS MCPT-RESULT-CHARACTERS
  it('have the hints of the contract, and say how long a result may be', () => {
    const hints = Object.fromEntries(definitions.map(({ name, annotations }) => [name, annotations]));
    for (const name of ['recall', 'get_context', 'list_subscriptions'])
      expect(hints[name]).toMatchObject({ readOnlyHint: true, openWorldHint: false });
    expect(hints.record_action_batch).toMatchObject({ readOnlyHint: false, destructiveHint: false });
    expect(hints.subscribe).toMatchObject({ readOnlyHint: false, destructiveHint: false, openWorldHint: true });
    expect(hints.unsubscribe).toMatchObject({ readOnlyHint: false, destructiveHint: true, idempotentHint: true });
    expect(hints.remember).toMatchObject({ readOnlyHint: false, destructiveHint: false });
    expect(hints.forget).toMatchObject({ readOnlyHint: false, destructiveHint: true, idempotentHint: true });
    const long = definitions.filter(({ name }) => !['remember', 'forget', 'unsubscribe'].includes(name));
    for (const { _meta } of long) expect(_meta?.['anthropic/maxResultSizeChars']).toBeLessThanOrEqual(500_000);
  });

  // @covers MCPT-SEARCH-FETCH
  it('have search and fetch only where the setting says so', () => {
    const names = (searchFetch: boolean) =>
      createRegistry({ baseUrl: '', searchFetch, mcpIcons: true }).tools.map(({ definition }) => definition.name);
    expect(names(false)).toHaveLength(8);
    expect(names(true).slice(8)).toEqual(['search', 'fetch']);
  });

  // @covers MCPT-INSTRUCTIONS
  it('come with an address and an icon', () => {
    const { websiteUrl, icons } = createRegistry({
      baseUrl: 'https://memory.example.org',
      searchFetch: false,
      mcpIcons: true,
    });
    expect(createRegistry({ baseUrl: '', searchFetch: false, mcpIcons: false }).icons).toEqual([]);
    expect(websiteUrl).toBe('https://memory.example.org');
    expect(icons[0]?.src).toMatch(/^data:image\/svg\+xml;base64,/);
  });
});

/** Sentences of users, five for each tool. */
const sentences: Readonly<Record<string, readonly string[]>> = {
  recall: [
    'When did Ada move to Lisbon?',
    'Find all the notes in which Bruno wrote about the budget since October.',
    'Look up what we noted about the supplier of the batteries.',
    'Search the memories whose metadata says confidence above 0.8.',
    'Who said that the launch was postponed, and where is that stored?',
  ],
  get_context: [
    'Before we start: catch up on everything that is known about the Hamburg project.',
    'Prepare yourself for the call with the customer Nordwind.',
    'Give me the background for planning the next release.',
    'I want to continue the task of yesterday. What do you already know about my preferences?',
    'Write the answer to this question with all the background that you have about the project.',
  ],
  remember: [
    'Remember that my daughter is allergic to nuts.',
    'Remember this preference: no calls before ten.',
    'It is worth knowing later that the office moved, keep that as a note.',
    'Store one fact: the code of the printer is 4711.',
    'Please remember my new address.',
  ],
  forget: [
    'Forget my old address.',
    'Erase the memory about the printer.',
    'That fact is wrong, forget it.',
    'Forget what I said about Bruno, it is private.',
    'Erase that memory permanently.',
  ],
  record_action_batch: [
    'Save these facts and the decision in one call.',
    'Please save these three facts for later.',
    'Record that we decided to use PostgreSQL, and why.',
    'Hand this work over to the billing agent.',
    'Note down the decision and store the address of the new office.',
  ],
  subscribe: [
    'Notify our endpoint https://hooks.example.org/in whenever a new memory mentions the ferry.',
    'Set up a webhook for everything that is written from the source crm.',
    'Alert this address as soon as something new about invoices is written.',
    'From now on call our server for each new memory of this namespace.',
    'I want to be informed by a webhook when the word outage is in a new memory.',
  ],
  unsubscribe: [
    'Stop the notifications of the webhook 0192f0c4.',
    'Cancel that subscription.',
    'Delete the webhook that sends alerts to the old host.',
    'We do not need these alerts any more, remove the subscription.',
    'Silence the ferry subscription, its address gets too many deliveries.',
  ],
  list_subscriptions: [
    'Which webhook subscriptions do we have?',
    'Is any of our subscriptions failing or disabled?',
    'Show me a list of the active webhooks of this agent.',
    'When was the last delivery of each subscription?',
    'What are the ids and patterns of our subscriptions?',
  ],
};

/** BM25 with the usual constants over the names, titles, descriptions and described properties of the tools. */
function bestTool(sentence: string): string | undefined {
  const texts = definitions.map(({ name, title, description }) => ({
    name,
    words: [...wordsOf(`${name.replaceAll('_', ' ')} ${title} ${description}`)],
  }));
  const average = texts.reduce((sum, { words }) => sum + words.length, 0) / texts.length;
  const scoreOf = (words: readonly string[], word: string) => {
    const having = texts.filter((text) => text.words.includes(word)).length;
    const times = words.filter((one) => one === word).length;
    const idf = Math.log(1 + (texts.length - having + 0.5) / (having + 0.5));
    return (idf * times * 2.2) / (times + 1.2 * (0.25 + (0.75 * words.length) / average));
  };
  const asked = [...new Set(wordsOf(sentence))];
  const ranked = texts
    .map(({ name, words }) => ({ name, score: asked.reduce((sum, word) => sum + scoreOf(words, word), 0) }))
    .sort((a, b) => b.score - a.score);
  return ranked[0]?.name;
}

describe('the descriptions of tools', () => {
  const cases = Object.entries(sentences).flatMap(([tool, said]) => said.map((sentence) => ({ sentence, tool })));
  // @covers MCPT-CHOICE
  it.each(cases)('lead from "$sentence" to $tool', ({ sentence, tool }) => {
    expect(bestTool(sentence)).toBe(tool);
  });
});
