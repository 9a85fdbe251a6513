import { isObject } from '../../domain/json-text.js';
import type { PromptDefinition } from '../prompt.js';
import type { Asking } from './asking.js';
import { required, wrong } from './parameters.js';

/** Answers prompts/get. @throws Refusal */
export async function promptMethod({ message, registry, calling }: Asking): Promise<object> {
  const name = required(message.params, 'name');
  const prompt = registry.prompts.find(({ definition }) => definition.name === name);
  if (!prompt)
    throw wrong('name', `must name a prompt: ${registry.prompts.map((one) => one.definition.name).join(', ')}.`);
  const { description, messages } = await prompt.get(argumentsOf(prompt.definition, message.params.arguments), calling);
  return {
    ...(description === undefined ? {} : { description }),
    messages: messages.map(({ role, text }) => ({ role, content: { type: 'text', text } })),
  };
}

/** Checks that all required arguments are given, each is a string, and none is unknown. @throws Refusal invalid_request */
function argumentsOf(definition: PromptDefinition, sent: unknown): Readonly<Record<string, string>> {
  const given = sent ?? {};
  if (!isObject(given)) throw wrong('arguments', 'must be an object.');
  const names = definition.arguments.map(({ name }) => name);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) throw wrong('arguments', `has an unknown member. This prompt takes ${names.join(', ')}.`);
  const read: Record<string, string> = {};
  for (const argument of definition.arguments) {
    const value = given[argument.name] ?? undefined;
    if (value === undefined && !argument.required) continue;
    if (typeof value !== 'string') throw wrong(argument.name, 'must be a string.');
    read[argument.name] = value;
  }
  return read;
}
