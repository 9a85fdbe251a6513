import { setTimeout as pause } from 'node:timers/promises';
import { type Conversation, GaveUp, isAboutArguments } from './conversation.js';
import type { Args, Named, Result } from './model.js';

/** The acts of a model for its user, with the tools that it was offered and by the sentences of their answers. */

/** A note as the user has said it: the namespace in the user's words. */
export interface Note {
  readonly text: string;
  readonly source?: string | undefined;
  readonly metadata?: Args | undefined;
  readonly namespace?: string | undefined;
}

/** Asks the owner to approve what has this id. */
export type Approve = (approvalId: string) => Promise<void>;

/** A model searches this number of times for what it knows to be there. */
const mostSearches = 3;

/** Stores a note. @returns the result of the write that succeeded. @throws GaveUp */
export async function remember(conversation: Conversation, note: Note, approve?: Approve): Promise<Result> {
  const { model, tools } = conversation;
  const write = (tool: string, approval?: string) =>
    inNamespace(conversation, note.namespace, (namespace) => {
      const named = { ...note, namespace };
      return attempt(conversation, tool, tool === 'remember' ? named : { actions: [actionOf(named, approval)] });
    });
  const tool = tools.has('remember') ? 'remember' : 'record_action_batch';
  const result = await write(tool);
  const said = model.sentences(result);
  const approval = result.refused ? /\bapr_\w+/.exec(said)?.[0] : undefined;
  if (approval === undefined) return done(result);
  await approve?.(approval);
  return done(await write(toolIn(said, conversation) ?? tool, approval));
}

const actionOf = ({ text: content, source, metadata, namespace }: Note, approval_id: string | undefined) => ({
  kind: 'memory',
  content,
  source,
  metadata,
  namespace,
  approval_id,
});

/** The tool that a sentence says to use. */
function toolIn(said: string, { tools }: Conversation): string | undefined {
  return [...tools.keys()].find((name) => said.includes(`with ${name}`));
}

/** Sends a call with the namespace that the user means, and once more where the refusal names one that may be it. */
async function inNamespace(
  { model, instructions }: Conversation,
  wanted: string | undefined,
  send: (namespace: string | undefined) => Promise<Result>,
): Promise<Result> {
  const result = await send(nameFor(wanted, instructions) ?? wanted);
  const listed = result.refused ? nameFor(wanted ?? '', model.sentences(result)) : undefined;
  return listed === undefined ? result : send(listed);
}

/** The first name in the list of namespaces that a text says can be used, which contains what the user has said. */
function nameFor(said: string | undefined, text: string): string | undefined {
  const list = /(?:You may use|You reach the namespaces) (.+)/.exec(text)?.[1] ?? '';
  const names = [...list.matchAll(/"([^"]*)"/g)].map(({ 1: name = '' }) => name);
  return said === undefined ? undefined : names.find((name) => name.toLowerCase().includes(said.toLowerCase()));
}

/** Finds the memory about a subject. Where nothing is found, the model waits and searches again. @throws GaveUp */
export async function find(
  conversation: Conversation,
  query: string,
  { subject, but, namespace, filters }: Finding,
): Promise<Named> {
  const { model } = conversation;
  const search = (named: string | undefined) =>
    attempt(conversation, 'recall', { query, k: 5, namespace_ids: named === undefined ? undefined : [named], filters });
  for (let tries = 0; tries < mostSearches; tries += 1) {
    if (tries > 0) await pause(1000);
    const result = done(await inNamespace(conversation, namespace, search));
    const others = model.named(result).filter(({ content }) => but === undefined || !content.includes(but));
    const picked = model.picks(others, subject);
    if (picked) return picked;
  }
  throw new GaveUp('the search did not find it');
}

export interface Finding {
  /** The words by which the model knows the right memory. */
  readonly subject: string;
  /** The text that the model has just written itself. */
  readonly but?: string | undefined;
  readonly namespace?: string | undefined;
  readonly filters?: Args | undefined;
}

/** Stores what is true now and erases what was true before. @throws GaveUp */
export async function correct(conversation: Conversation, note: Note, query: string, subject: string): Promise<void> {
  const { model } = conversation;
  const result = await remember(conversation, note);
  const others = model.named(result).filter(({ id }) => id !== model.written(result));
  const outdated = model.picks(others, subject) ?? (await find(conversation, query, { subject, but: note.text }));
  await forget(conversation, outdated.id);
}

/** Erases a memory. @throws GaveUp also where no tool does that */
export async function forget(conversation: Conversation, id: string): Promise<void> {
  if (!conversation.tools.has('forget')) throw new GaveUp('no tool erases a memory');
  done(await attempt(conversation, 'forget', { id }));
}

/** Hands work over to another agent. @throws GaveUp */
export async function handOver(conversation: Conversation, handoff: Args, wanted?: string): Promise<void> {
  const write = (namespace: string | undefined) =>
    attempt(conversation, 'record_action_batch', { actions: [{ kind: 'handoff', ...handoff, namespace }] });
  done(await inNamespace(conversation, wanted, write));
}

/** Calls a tool. After the time that a refusal names it calls again, and so it does without an optional argument that was wrong. */
async function attempt(conversation: Conversation, tool: string, args: Args): Promise<Result> {
  const result = await conversation.call(tool, args);
  if (!result.refused) return result;
  const said = conversation.model.sentences(result);
  const seconds = /\bwait (\d+) seconds/.exec(said)?.[1];
  if (seconds === undefined && !isAboutArguments(result)) return result;
  await pause(Number(seconds ?? 0) * 1000);
  const required = conversation.tools.get(tool)?.required ?? [];
  const optional = Object.keys(args).filter((name) => !required.includes(name));
  const wrong = optional.find((name) => new RegExp(`-32602: ${name}\\b`).test(said));
  return conversation.call(tool, wrong === undefined ? args : { ...args, [wrong]: undefined });
}

function done(result: Result): Result {
  if (result.refused) throw new GaveUp(`refused with ${result.code ?? 'no code'}`);
  return result;
}
