import { Refusal } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import { inSlices } from '../../base/steps.js';
import { keysOfParts, type RequestKey } from '../../commands/once.js';
import { runTogether } from '../../commands/run-together.js';
import { requireAccess } from '../../domain/caller.js';
import { actionArguments } from '../actions/arguments.js';
import { perform } from '../actions/perform.js';
import { readActions, type SentActions } from '../actions/read.js';
import { type Recorded, resultOf } from '../actions/results.js';
import { wrong } from '../protocol/parameters.js';
import { resultCharacters } from '../results/fitting.js';
import type { Arguments, Calling, Tool } from '../tool.js';
import { checkArguments } from './arguments.js';

export const recordActionBatch: Tool = {
  definition: {
    name: 'record_action_batch',
    title: 'Record memories, decisions and handoffs',
    description:
      'Write to the memory, up to 50 actions in one call: remember, save, store or note facts and preferences as memories; ' +
      'record decisions with their options and reasons; record handoffs of work to another agent. Use it whenever something should ' +
      'still be known later, when a choice was made, or when someone else takes over. Each action gets a receipt; one that is ' +
      'refused does not stop the rest.',
    inputSchema: actionArguments.schema,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    _meta: { 'anthropic/maxResultSizeChars': resultCharacters },
  },
  async call(args, calling) {
    requireAccess(calling.caller, 'memory.write');
    checkArguments(actionArguments, args.value);
    const sent = await inSlices(readActions(args));
    const keys = keysOf(args, sent, calling);
    const works = sent.actions.map(
      (action, at) => (run: Calling['services']['run']) => perform(action, calling, keys[at] ?? null, run),
    );
    const settled = await runTogether(calling.services.run, works);
    return resultOf(sent.actions, settled.map(outcomeOf));
  },
};

/** @throws Refusal idempotency_key_reused, which concerns the whole call: nothing of it was recorded then. Other errors too. */
function outcomeOf(settled: PromiseSettledResult<Recorded>): Recorded | Refusal {
  if (settled.status === 'fulfilled') return settled.value;
  const { reason } = settled;
  if (reason instanceof Refusal && reason.code !== 'idempotency_key_reused') return reason;
  throw reason;
}

const argumentName = 'idempotency_key';
const metaName = '_meta.counterfoil/idempotencyKey';

/**
 * One key for each action, so that a repetition finds those that were recorded and tries only the rest. Their digest
 * is that of the list of actions as it was sent.
 * @throws Refusal invalid_request for a key that cannot be one, and for two different ones
 */
function keysOf({ value }: Arguments, { text }: SentActions, calling: Calling): readonly RequestKey[] {
  const { caller, services, idempotencyKey: ofMeta } = calling;
  const ofArguments = typeof value[argumentName] === 'string' ? value[argumentName] : undefined;
  if (ofArguments !== undefined && ofMeta !== undefined && ofArguments !== ofMeta) {
    throw wrong(argumentName, `must be the same as ${metaName}. Send one of the two.`);
  }
  const key = ofArguments ?? ofMeta;
  if (key !== undefined && !/^[\x21-\x7e]{1,255}$/.test(key)) {
    const name = ofArguments === undefined ? metaName : argumentName;
    throw wrong(name, 'must have 1 to 255 printable characters of ASCII, without spaces.');
  }
  const request = services.requestKeys(caller, key, '/mcp record_action_batch', Buffer.from(text, 'utf8'));
  return request === null ? [] : keysOfParts(request, limits.mcpActions);
}
