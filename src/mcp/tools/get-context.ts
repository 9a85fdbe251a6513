import { z } from 'zod';
import { field } from '../../../contracts/input.js';
import { limits } from '../../../contracts/limits.js';
import { searchIn } from '../../../contracts/search.js';
import type { Budget } from '../../base/budget.js';
import { type Context, contextOf, findNotes } from '../results/context-of.js';
import { fitResult, resultCharacters, resultTokens } from '../results/fitting.js';
import type { Found } from '../results/found.js';
import type { Tool, ToolResult } from '../tool.js';
import { argument, argumentList } from './argument-list.js';
import { namespaceIds, query } from './shared-arguments.js';

const memories = z.int().min(1).max(limits.contextMax).default(limits.contextDefault);

const list = argumentList('unknown_field', {
  query,
  limit: argument(field(memories, searchIn.k.code), 'The most memories to put into the context.'),
  max_tokens: argument(
    searchIn.token_budget,
    'The most tokens of the whole context. The best memory is cut to fit if it must be.',
  ),
  namespace_ids: namespaceIds,
});

export const getContext: Tool = {
  definition: {
    name: 'get_context',
    title: 'Get context for a task',
    description:
      'Get one block of background text, made of the stored memories that matter for the task or question of the user, to read ' +
      'before you start, plan, write, answer or prepare something. Call it at the beginning of a conversation or a task to catch up: ' +
      'what is already known about the project, the customer or the preferences of the user. The block fits into max_tokens and names ' +
      'its sources. For single hits with scores, metadata and filters, use recall instead.',
    inputSchema: list.schema,
    annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
    _meta: { 'anthropic/maxResultSizeChars': resultCharacters },
  },
  async call(args, calling) {
    const { query, limit, max_tokens: maxTokens, namespace_ids } = args.value;
    const question = { query, limit, maxTokens, namespaceIds: namespace_ids };
    const found = await findNotes(question, list, args, calling);
    return contextResult(calling.services.memories.budget, found);
  },
};

/** The context, then the ids by which a model can name what it has used. */
function asText({ context, sources, receipt_id, receipt_hash }: Context): string {
  const lines = sources.map(
    (source) =>
      `${source.number}. Memory ${source.memory_id}, receipt ${source.receipt_id} with the hash ${source.receipt_hash}${source.truncated ? ', cut to fit' : ''}.`,
  );
  const list = lines.length === 0 ? [] : [`Sources:\n${lines.join('\n')}`];
  const search = `This search is recorded as receipt ${receipt_id} with the hash ${receipt_hash}.`;
  return [context, ...list, search].join('\n\n');
}

/** A context for a model. A caller that asks for more than usual gets a longer result. */
export function contextResult(budget: Budget, found: Found): Promise<ToolResult> {
  const asked = Math.max(1, found.token_budget / limits.tokenBudgetDefault, found.data.length / limits.contextDefault);
  return fitResult(budget, resultTokens * asked, async (share) => {
    const structured = await contextOf(budget, found, share);
    return { text: asText(structured), structured };
  });
}
