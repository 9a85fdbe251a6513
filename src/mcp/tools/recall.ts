import { limits } from '../../../contracts/limits.js';
import { searchOperation } from '../../api/memories/search.js';
import { type Budget, fitBudget } from '../../domain/budget.js';
import { RawJson } from '../../domain/json-text.js';
import { answerOf } from '../answer-of.js';
import type { ArgumentList } from '../arguments.js';
import { fitResult, resultCharacters, resultTokens, shortObject, shortText } from '../fitting.js';
import { type Found, type FoundHit, messageAbout, readFound } from '../found.js';
import { cutNote, escapeNote, fenced, notInstructions, sourceAttribute } from '../notes.js';
import type { Tool, ToolResult } from '../tool.js';
import { namespaceIds, query } from './shared-arguments.js';

const text = (description: string) => ({ type: 'string', description }) as const;
const texts = (description: string) =>
  ({ type: 'array', description, items: text('One of the values that match.') }) as const;
const filterList = (description: string) =>
  ({ type: 'array', description, items: { type: 'object', description: 'A filter with the same members.' } }) as const;
const moment = (description: string) => ({ type: 'string', format: 'date-time', description }) as const;

const list: ArgumentList = {
  schema: {
    type: 'object',
    properties: {
      query,
      namespace_ids: namespaceIds,
      agent_id: text('The id of an agent: memories that it wrote, and no others.'),
      k: {
        type: 'integer',
        minimum: 1,
        maximum: limits.searchMax,
        default: limits.searchDefault,
        description: 'The most memories to return.',
      },
      token_budget: {
        type: 'integer',
        minimum: limits.tokenBudgetMin,
        maximum: limits.tokenBudgetMax,
        default: limits.tokenBudgetDefault,
        description: 'The most tokens of memory text to return. The best memory is always returned, cut if it must be.',
      },
      filters: {
        type: 'object',
        description: 'Conditions that every returned memory fulfils. Leave it out to search everything.',
        properties: {
          source: texts('The origin of a memory is one of these.'),
          user_id: texts('The person that a memory is from is one of these.'),
          app_id: texts('The application that wrote a memory is one of these.'),
          run_id: texts('The run or session that wrote a memory is one of these.'),
          created_after: moment('Written after this time (RFC 3339).'),
          created_before: moment('Written before this time (RFC 3339).'),
          include_playground: { type: 'boolean', description: 'true: test memories too.' },
          metadata: {
            type: 'object',
            description:
              'Metadata field → the value that it must have, or tests: eq, ne, in, gt, gte, lt, lte, exists, contains.',
          },
          all: filterList('Filters that must all match.'),
          any: filterList('Filters of which at least one must match.'),
          not: filterList('Filters of which none may match.'),
        },
      },
    },
    required: ['query'],
    additionalProperties: false,
  },
  unknown: 'unknown_field',
  codes: {
    query: 'invalid_query',
    namespace_ids: 'invalid_namespace_ids',
    agent_id: 'invalid_agent_id',
    k: 'invalid_k',
    token_budget: 'invalid_token_budget',
    filters: 'invalid_filters',
  },
};

export const recall: Tool = {
  definition: {
    name: 'recall',
    title: 'Recall memories',
    description:
      'Search the stored memories by meaning and by keyword, and get each matching memory as a separate hit with its id, score, ' +
      'metadata, source, author and receipt hash. Use it to look up individual facts, find out when, where, why or by whom something ' +
      'was noted, compare or cite memories, or narrow a search with filters by date, source, person, application or metadata. ' +
      'For one ready-made block of background text to read before a task, use get_context instead.',
    inputSchema: list.schema,
    annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
    _meta: { 'anthropic/maxResultSizeChars': resultCharacters },
  },
  async call(args, calling) {
    const found = readFound(await answerOf(searchOperation, list, args, calling, { body: args.text }));
    const { budget } = calling.services;
    const asked = Math.max(1, found.token_budget / limits.tokenBudgetDefault, found.data.length / limits.searchDefault);
    return fitResult(budget, resultTokens * asked, (share) => shown(budget, found, share));
  },
};

/** The hits as JSON and as text, with this share of what callers have written. */
async function shown(budget: Budget, found: Found, share: number): Promise<ToolResult> {
  const room = Math.floor(found.token_budget * share);
  const { hits: data, tokensUsed } =
    share === 1 ? { hits: found.data, tokensUsed: found.tokens_used } : await fitBudget(budget, found.data, room);
  const message = messageAbout(found);
  return {
    text: await asText(budget, { ...found, data, tokens_used: tokensUsed }, room, message),
    structured: {
      ...found,
      data: data.map((hit) => shortHit(hit, share)),
      tokens_used: tokensUsed,
      ...(message !== null && { message }),
    },
  };
}

function shortHit(hit: FoundHit, share: number): object {
  if (share === 1) return hit;
  const { text: metadata, isCut } = shortObject(hit.metadata.text, share);
  return {
    ...hit,
    why: shortText(hit.why, share),
    signals: { ...hit.signals, matched: hit.signals.matched.slice(0, Math.ceil(16 * share)) },
    source: hit.source === null ? null : shortText(hit.source, share),
    metadata: new RawJson(metadata),
    ...(isCut && { metadata_truncated: true }),
  };
}

/** The excerpts have half the budget: a client that shows a model both forms would else show everything twice. */
async function asText(budget: Budget, found: Found, room: number, message: string | null): Promise<string> {
  const { data, tokens_used, receipt_id, receipt_hash } = found;
  const search = `This search is recorded as receipt ${receipt_id} with the hash ${receipt_hash}.`;
  const contents = await excerpts(budget, data, tokens_used, Math.floor(room / 2));
  const hits = await Promise.all(
    data.map(async (hit, n) => {
      const fence = fenced(n + 1, hit, await sourceAttribute(budget, hit.source), contents[n] ?? '');
      return `${n + 1}. Memory ${hit.memory_id} in namespace ${hit.namespace_id}, receipt ${hit.receipt_id} with the hash ${hit.receipt_hash}. ${hit.why}\n${fence}`;
    }),
  );
  const lead = data.length === 0 ? [] : [`${notInstructions} The best is first.`];
  return [...lead, ...hits, ...(message === null ? [] : [message]), search].join('\n\n');
}

/** The contents where they fit, or the beginning of each with an equal share of the room that is left. */
async function excerpts(budget: Budget, hits: readonly FoundHit[], used: number, room: number): Promise<string[]> {
  const whole = hits.map(({ content }) => escapeNote(content));
  if (used <= room && whole.every((content, n) => content === hits[n]?.content)) return whole;
  const cut: string[] = [];
  let left = room;
  for (const [n, content] of whole.entries()) {
    const { text, tokens } = await cutNote(budget, content, Math.floor(left / (whole.length - n)));
    cut.push(text);
    left -= tokens;
  }
  return cut;
}
