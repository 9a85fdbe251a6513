import { z } from 'zod';
import { asTheSchemaSays, sloppily } from './arguments.js';
import type { Model, Named, Result } from './model.js';

const hit = z.object({ memory_id: z.string(), content: z.string() }).transform((one) => ({
  id: one.memory_id,
  content: one.content,
}));
const alike = z.object({ memory_id: z.string(), excerpt: z.string() }).transform((one) => ({
  id: one.memory_id,
  content: one.excerpt,
}));
/** The members of structured contents that a model reads by name. */
const contents = z.object({
  memory_id: z.string().optional(),
  data: z.array(hit).optional().catch(undefined),
  similar: z.array(alike).optional(),
  results: z
    .array(z.object({ memory_id: z.string().optional(), error: z.object({ message: z.string() }).optional() }))
    .optional(),
});

const membersOf = ({ structured }: Result) => contents.safeParse(structured).data ?? {};

const about = (named: readonly Named[], subject: string) =>
  named.find(({ content }) => content.toLowerCase().includes(subject.toLowerCase()));

/** Sends what the schema says, and reads structured contents by their members. A refusal may have none: then it reads the text. */
const strict: Model = {
  name: 'strict JSON',
  isInstructed: true,
  sent: asTheSchemaSays,
  reads: ({ structured, text }) => (structured === undefined ? text : JSON.stringify(structured)),
  sentences: (result) => membersOf(result).results?.[0]?.error?.message ?? result.text,
  written: (result) => membersOf(result).memory_id ?? membersOf(result).results?.[0]?.memory_id,
  named: (result) => membersOf(result).data ?? membersOf(result).similar ?? [],
  picks: about,
};

/** Sends arguments as they should not be, reads no instructions, and takes the first memory of a result without reading what it says. */
const sloppyModel: Model = {
  ...strict,
  name: 'sloppy JSON',
  isInstructed: false,
  sent: sloppily,
  reads: ({ structured, text }) => (structured === undefined ? text : `${text}\n${JSON.stringify(structured)}`),
  sentences: ({ text }) => text,
  picks: ([first]) => first,
};

/** An id that the text says to be that of a memory, whole or short. */
const memoryIds =
  /(?:\bid="|\bmemory(?:_id)? |\bstored: |\bstored before(?: as|:) )([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{12}\b)/gi;

/** Each id in the text, with what follows it until the next one. */
function idsIn(text: string): Named[] {
  const found = [...text.matchAll(memoryIds)];
  return found.map(({ 1: id = '', index }, n) => ({ id, content: text.slice(index, found[n + 1]?.index) }));
}

/** Its client gives it the text of results and nothing else. */
const textOnly: Model = {
  name: 'text only',
  isInstructed: true,
  sent: asTheSchemaSays,
  reads: ({ text }) => text,
  sentences: ({ text }) => text,
  written: ({ text }) => idsIn(text)[0]?.id,
  named: ({ text }) => idsIn(text),
  picks: about,
};

export const models: readonly Model[] = [strict, sloppyModel, textOnly];
