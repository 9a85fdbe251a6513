import { recordActions, requireRecording } from '../../api/actions/record.js';
import { inSlices } from '../../base/steps.js';
import { actionArguments } from '../actions/arguments.js';
import { readActions } from '../actions/read.js';
import { resultOf } from '../actions/results.js';
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
    requireRecording(calling.caller);
    checkArguments(actionArguments, args.value);
    const sent = await inSlices(readActions(args));
    return resultOf(sent.actions, await recordActions(sent, keyOf(args, calling), calling));
  },
};

const argumentName = 'idempotency_key';
const metaName = '_meta.counterfoil/idempotencyKey';

/**
 * The key of the batch, from its arguments or beside them.
 * @throws Refusal invalid_request for a key that cannot be one, and for two different ones
 */
function keyOf({ value }: Arguments, { idempotencyKey: ofMeta }: Calling): string | undefined {
  const ofArguments = typeof value[argumentName] === 'string' ? value[argumentName] : undefined;
  if (ofArguments !== undefined && ofMeta !== undefined && ofArguments !== ofMeta) {
    throw wrong(argumentName, `must be the same as ${metaName}. Send one of the two.`);
  }
  const key = ofArguments ?? ofMeta;
  if (key !== undefined && !/^[\x21-\x7e]{1,255}$/.test(key)) {
    const name = ofArguments === undefined ? metaName : argumentName;
    throw wrong(name, 'must have 1 to 255 printable characters of ASCII, without spaces.');
  }
  return key;
}
