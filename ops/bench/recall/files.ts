import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Conversation } from './conversation.js';
import { locomo, ofLocomo } from './locomo.js';
import { longMemEval, ofLongMemEval } from './long-mem-eval.js';
import { sessionTime } from './session-time.js';

const turn = z
  .object({
    id: z.string(),
    session: z.string(),
    speaker: z.string(),
    text: z.string(),
    session_time: z.string().optional(),
  })
  .transform(({ session_time, ...turn }) => ({ ...turn, time: sessionTime(session_time) ?? session_time }));
const simple = z.object({
  conversation: z.coerce.string(),
  turns: z.array(turn),
  questions: z.array(
    z.object({ question: z.string(), evidence: z.array(z.string()), category: z.coerce.string().optional() }),
  ),
});

/**
 * The conversations of all `*.json` of a directory, in the order of their names. A file is one conversation with its turns and questions, a
 * list as LoCoMo is published, or a list as LongMemEval is.
 * @throws Error that names the file which has none of these forms
 */
export function readConversations(directory: string): Conversation[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) => conversationsOf(name, JSON.parse(readFileSync(join(directory, name), 'utf8'))));
}

/** The conversations of one file. */
export function conversationsOf(name: string, content: unknown): Conversation[] {
  const one = simple.safeParse(content);
  if (one.success) return [one.data];
  const talks = locomo.safeParse(content);
  if (talks.success) return talks.data.map(ofLocomo);
  const chats = longMemEval.safeParse(content);
  if (chats.success) return chats.data.map(ofLongMemEval);
  // Of the three, the form that the file is nearest to says what is wrong with it.
  const error = !Array.isArray(content) ? one.error : isLocomo(content) ? talks.error : chats.error;
  throw new Error(`${name} has no known form: ${z.prettifyError(error)}`);
}

const isLocomo = ([first]: readonly unknown[]): boolean =>
  typeof first === 'object' && first !== null && 'conversation' in first;
