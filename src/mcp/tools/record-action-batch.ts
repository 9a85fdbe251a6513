import { Refusal } from '../../../contracts/errors.js';
import { recordActions, requireRecording } from '../../api/actions/record.js';
import { memoryAddOperation } from '../../api/memories/add.js';
import { withNamespaces } from '../../api/namespaces/reached.js';
import { inSlices } from '../../base/steps.js';
import { actionArguments } from '../actions/arguments.js';
import { readActions } from '../actions/read.js';
import { resultOf } from '../actions/results.js';
import { wrong } from '../protocol/parameters.js';
import { resultCharacters } from '../results/fitting.js';
import type { Arguments, Calling, Tool } from '../tool.js';
import { checkArguments } from './arguments.js';

export const recordActionBatch: Tool = {
  needs: memoryAddOperation,
  definition: {
    name: 'record_action_batch',
    title: 'Record memories, decisions and handoffs',
    description:
      'Write up to 50 actions in one call: save, store or note down several facts, record decisions with their reasons, and hand ' +
      'work over to another agent. Use it when a choice was made, when someone else takes over, or for many memories at once. One that is refused ' +
      'does not stop the rest.',
    inputSchema: actionArguments.schema,
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    _meta: { 'anthropic/maxResultSizeChars': resultCharacters },
  },
  async call(args, calling) {
    requireRecording(calling.caller);
    checkArguments(actionArguments, args.value);
    const sent = await inSlices(readActions(args));
    const outcomes = await recordActions(sent, keyOf(args, calling), calling);
    const said = outcomes.map((one) => (one instanceof Refusal ? withNamespaces(one, calling) : one));
    return resultOf(sent.actions, await Promise.all(said));
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
