import { Refusal } from '../../../contracts/errors.js';
import { isObject } from '../../domain/json-text.js';
import { meantArguments } from '../tools/meant.js';
import type { Asking } from './asking.js';
import { required, wrong } from './parameters.js';
import { errorMembers, failedCall, refusedCall } from './refusals.js';
import { RpcError } from './rpc-error.js';

/** Calls a tool. What it refuses is a result that says what to do, unless the arguments are wrong. @throws Refusal, RpcError */
export async function toolCall({ message, registry, calling, requestId, refused }: Asking): Promise<object> {
  const { params, argumentsText } = message;
  const name = required(params, 'name');
  // Some clients send null for a tool that takes none.
  const value = params.arguments ?? {};
  if (!isObject(value)) throw wrong('arguments', 'must be an object.');
  const text = params.arguments === null || argumentsText === '' ? '{}' : argumentsText;
  try {
    if (!calling.caller.memoryApi) throw new Refusal('feature_not_enabled');
    const tool = registry.tools.find(({ definition }) => definition.name === name);
    if (!tool) return unknownTool(name, registry);
    const result = await tool.call(meantArguments(tool.definition.inputSchema, { value, text }), calling);
    return {
      content: [{ type: 'text', text: result.text }],
      structuredContent: result.structured,
      ...(result.error && errorMembers(result.error)),
    };
  } catch (error) {
    if (error instanceof RpcError || calling.signal.aborted) throw error;
    return refusedCall(refused(error), requestId);
  }
}

function unknownTool(name: string, { tools }: Asking['registry']): object {
  const names = tools.map(({ definition }) => definition.name);
  const shown = JSON.stringify(name.slice(0, 64).toWellFormed());
  return failedCall('unknown_tool', `There is no tool ${shown}. Call one of: ${names.join(', ')}.`, { tools: names });
}
