import { z } from 'zod';
import type { Conversation, Turn } from './conversation.js';
import { sessionTime } from './session-time.js';

/**
 * LoCoMo as it is published (`locomo10.json`; Maharana and others, "Evaluating Very Long-Term Conversational Memory of LLM
 * Agents", 2024): `conversation` has a member `session_N` for each session, beside the names of the speakers and times.
 */
export const locomo = z
  .array(
    z.object({
      sample_id: z.coerce.string(),
      conversation: z.record(z.string(), z.unknown()),
      qa: z.array(
        z.object({
          question: z.coerce.string(),
          evidence: z.array(z.string()).default([]),
          category: z.number().optional(),
        }),
      ),
    }),
  )
  .min(1);

const text = z.string();
const session = z.array(z.object({ speaker: z.string(), dia_id: z.string(), text: z.string() }));

/** The names of the kinds of questions, which the data has as numbers. */
const categories: Readonly<Record<number, string>> = {
  1: 'several turns',
  2: 'time',
  3: 'world knowledge',
  4: 'one turn',
  5: 'unanswerable',
};

export function ofLocomo({ sample_id, conversation, qa }: z.infer<typeof locomo>[number]): Conversation {
  return {
    conversation: sample_id,
    turns: sessionsOf(conversation).flatMap(([name, turns]) =>
      turnsOf(name, turns, text.safeParse(conversation[`${name}_date_time`]).data),
    ),
    questions: qa.map(({ question, evidence, category }) => ({
      question,
      evidence: evidence.flatMap(idsIn),
      category: category === undefined ? undefined : (categories[category] ?? String(category)),
    })),
  };
}

/** In the order of their numbers: `session_10` comes after `session_9`. */
const sessionsOf = (conversation: Readonly<Record<string, unknown>>): [string, unknown][] =>
  Object.entries(conversation)
    .filter(([name]) => /^session_\d+$/.test(name))
    .sort(([a], [b]) => Number(a.slice('session_'.length)) - Number(b.slice('session_'.length)));

function turnsOf(name: string, turns: unknown, written: string | undefined): Turn[] {
  const time = sessionTime(written);
  return session
    .parse(turns)
    .map(({ speaker, dia_id, text }) => ({ id: idOf(dia_id), session: name, speaker, text, time }));
}

const turnId = /D:?(\d+):(\d+)/g;

/** Some of the evidence has several turns in one text (`D8:6; D9:17`), a colon too many (`D:11:26`) or a zero (`D30:05`). */
const idsIn = (text: string): string[] =>
  Array.from(text.matchAll(turnId), ([, session, turn]) => `D${Number(session)}:${Number(turn)}`);

const idOf = (text: string): string => idsIn(text)[0] ?? text;
