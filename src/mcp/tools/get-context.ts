import { z } from 'zod';
import { Refusal } from '../../../contracts/errors.js';
import { field } from '../../../contracts/input.js';
import { limits } from '../../../contracts/limits.js';
import { searchIn } from '../../../contracts/search.js';
import { isRunId } from '../../../contracts/text.js';
import { memoriesOfRun, type RunMemory } from '../../api/memories/of-run.js';
import { searchOperation } from '../../api/memories/search.js';
import type { Budget } from '../../base/budget.js';
import { contextOf, findNotes, searchLine } from '../results/context-of.js';
import { fenceWord } from '../results/fence-word.js';
import { fitResult, resultCharacters, resultTokens } from '../results/fitting.js';
import type { Found } from '../results/found.js';
import type { Tool, ToolResult } from '../tool.js';
import { argument, argumentList } from './argument-list.js';
import { namespaceIds, query, withNamespaceIds } from './shared-arguments.js';

const memories = z.int().min(1).max(limits.contextMax).default(limits.contextDefault);

const list = argumentList('unknown_field', {
  query,
  limit: argument(field(memories, searchIn.k.code), 'The most memories.'),
  max_tokens: argument(searchIn.token_budget, 'The most tokens of the whole text. The best memory is cut to fit.'),
  namespace_ids: namespaceIds,
  run: argument(field(z.string().optional(), 'invalid_request'), { says: 'Its newest 6 first.', unbounded: true }),
});

/** The memories of a run that come first. */
const ofRunMost = 6;

export const getContext: Tool = {
  needs: searchOperation,
  definition: {
    name: 'get_context',
    title: 'Get context for a task',
    description:
      'Get one block of background text, made of the memories that matter for the task or question of the user. Call it at the beginning, before you ' +
      'start, plan, write, answer or prepare something, to catch up on what is already known about the project, the customer or the ' +
      'preferences of the user. For single facts use recall.',
    inputSchema: list.schema,
    annotations: { readOnlyHint: true, openWorldHint: false },
    _meta: { 'anthropic/maxResultSizeChars': resultCharacters },
  },
  async call(args, calling) {
    const named = await withNamespaceIds(args, calling);
    const { query, limit, max_tokens: maxTokens, namespace_ids: ids, run } = named.value;
    if (typeof run === 'string' && run !== '' && !isRunId(run)) {
      const bounds = `run: must have 1 to ${limits.runIdCharacters} printable characters.`;
      throw new Refusal('invalid_request', bounds, { path: 'run' });
    }
    const found = await findNotes({ query, limit, maxTokens, namespaceIds: ids }, list, named, calling);
    const { memories, writing } = calling.services;
    // The search has checked the namespaces, as it checks all arguments.
    const reached = z.array(z.string()).optional().catch(undefined).parse(ids);
    const ofRun =
      typeof run === 'string' && run !== ''
        ? await memoriesOfRun(calling.caller, run, reached, ofRunMost, calling.services)
        : [];
    return contextResult(memories.budget, fenceWord(writing.world.random), found, ofRun);
  },
};

/** A context for a model. A caller that asks for more than usual gets a longer result. @param word of the tags */
export function contextResult(
  budget: Budget,
  word: string,
  found: Found,
  ofRun: readonly RunMemory[] = [],
): Promise<ToolResult> {
  const asked = Math.max(1, found.token_budget / limits.tokenBudgetDefault, found.data.length / limits.contextDefault);
  return fitResult(budget, resultTokens * asked, async (share) => {
    const structured = await contextOf(budget, word, found, share, ofRun);
    return { text: `${structured.context}\n${searchLine(structured)}`, structured };
  });
}
