import { searchIn } from '../../../contracts/search.js';
import type { Prompt } from '../registry.js';
import { contextOf, findNotes } from '../results/context-of.js';
import { fenceWord } from '../results/fence-word.js';
import { argument, argumentList } from '../tools/argument-list.js';

const description = 'Ask a question together with the stored memories that matter for it.';

const list = argumentList(
  'unknown_field',
  {
    question: argument(searchIn.query, 'The question, in any language.'),
    max_tokens: argument(searchIn.token_budget, 'The most tokens of memories: a whole number, 4000 without it.'),
  },
  { query: 'question' },
);

/** A question of a person with the memories about it. Like every search it is recorded as a receipt. */
export const withMemory: Prompt = {
  definition: {
    name: 'with_memory',
    title: 'Ask with memory',
    description,
    arguments: Object.entries(list.schema.properties).map(([name, schema]) => ({
      name,
      description: schema.description,
      required: name === 'question',
    })),
  },
  async get({ question, max_tokens }, calling) {
    // Arguments of prompts are strings.
    const maxTokens = max_tokens !== undefined && /^\d{1,9}$/.test(max_tokens) ? Number(max_tokens) : max_tokens;
    const value = { question, ...(maxTokens !== undefined && { max_tokens: maxTokens }) };
    const found = await findNotes({ query: question, maxTokens }, list, { value }, calling);
    const { memories, writing } = calling.services;
    const { context } = await contextOf(memories.budget, fenceWord(writing.world.random), found, 1);
    return { description, messages: [{ role: 'user', text: `${context}\n\nQuestion: ${question}` }] };
  },
};
