import { z } from 'zod';
import type { Conversation } from './conversation.js';
import { sessionTime } from './session-time.js';

/**
 * LongMemEval as its authors describe it (`longmemeval_s.json`; Wu and others, "LongMemEval: Benchmarking Chat Assistants on
 * Long-Term Interactive Memory", 2025). Each question has sessions of its own. The turns with the answer have `has_answer`.
 */
export const longMemEval = z
  .array(
    z.object({
      question_id: z.string(),
      question_type: z.string().optional(),
      question: z.string(),
      haystack_session_ids: z.array(z.string()).optional(),
      haystack_dates: z.array(z.string()).optional(),
      haystack_sessions: z.array(
        z.array(z.object({ role: z.string(), content: z.string(), has_answer: z.boolean().nullish() })),
      ),
      answer_session_ids: z.array(z.string()),
    }),
  )
  .min(1);

/**
 * One conversation with one question. The evidence are the turns with the answer in the sessions of the answer. A question that
 * cannot be answered (its id ends with `_abs`) has no evidence, so it is not counted.
 */
export function ofLongMemEval(given: z.infer<typeof longMemEval>[number]): Conversation {
  const {
    question_id,
    question,
    question_type,
    haystack_sessions,
    haystack_session_ids = [],
    haystack_dates = [],
  } = given;
  const answers = new Set(given.answer_session_ids);
  const sessions = haystack_sessions.map((turns, i) => ({
    // A session may be in the list twice, and its turns need ids of their own then.
    key: String(i + 1),
    hasAnswer: haystack_session_ids[i] === undefined || answers.has(haystack_session_ids[i]),
    time: sessionTime(haystack_dates[i]),
    turns,
  }));
  const turns = sessions.flatMap(({ key, hasAnswer, time, turns }) =>
    turns.map(({ role, content, has_answer }, i) => ({
      turn: { id: `${key}:${i + 1}`, session: key, speaker: role, text: content, time },
      isEvidence: hasAnswer && has_answer === true,
    })),
  );
  const isAnswerable = !question_id.endsWith('_abs');
  return {
    conversation: question_id,
    // A turn without a text cannot be a memory.
    turns: turns.map(({ turn }) => turn).filter(({ text }) => text.trim() !== ''),
    questions: [
      {
        question,
        evidence: turns.flatMap(({ turn, isEvidence }) => (isAnswerable && isEvidence ? [turn.id] : [])),
        category: question_type,
      },
    ],
  };
}
