import { isObject } from '../../domain/json-text.js';
import type { Completing } from '../completion.js';
import type { Asking } from './asking.js';
import { wrong } from './parameters.js';

/** Answers completion/complete. @throws Refusal */
export async function completionMethod({ message, registry, calling }: Asking): Promise<object> {
  const { ref, argument } = message.params;
  if (!isObject(argument)) throw wrong('argument', 'must be an object with name and value.');
  const { name, value } = argument;
  if (typeof name !== 'string') throw wrong('argument.name', 'must be a string.');
  if (typeof value !== 'string') throw wrong('argument.value', 'must be a string.');
  return { completion: await registry.complete({ of: referenceOf(ref), argument: { name, value } }, calling) };
}

function referenceOf(ref: unknown): Completing['of'] {
  if (isObject(ref) && ref.type === 'ref/prompt' && typeof ref.name === 'string')
    return { kind: 'prompt', name: ref.name };
  if (isObject(ref) && ref.type === 'ref/resource' && typeof ref.uri === 'string')
    return { kind: 'resource', uriTemplate: ref.uri };
  throw wrong('ref', 'must be {type: "ref/prompt", name} or {type: "ref/resource", uri}.');
}
