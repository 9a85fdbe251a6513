import type { z } from 'zod';
import { Refusal } from '../../../contracts/errors.js';
import { memoryAccepted, memoryIn } from '../../../contracts/memory.js';
import { memoryAddOperation } from '../../api/memories/add.js';
import { shortId } from '../../api/memories/short-id.js';
import { onlyNamespace } from '../../api/namespaces/reached.js';
import { RawJson } from '../../base/json-text.js';
import { fenceWord } from '../results/fence-word.js';
import { escapeNote, notInstructions, receiptPrefix } from '../results/notes.js';
import type { Arguments, Calling, Tool } from '../tool.js';
import { argument, argumentList } from './argument-list.js';
import { answerOf } from './arguments.js';
import { changedMembers } from './members.js';

/** The longest time that an answer waits for the memory to become searchable. */
const settleSeconds = 2;

const list = argumentList(
  'invalid_request',
  {
    text: argument(memoryIn.content, 'The fact or note, in full sentences.'),
    namespace: argument(memoryIn.namespace, 'Name or id of a namespace; the default one without it.'),
    source: argument(memoryIn.source, 'Where it is from, such as the name of a chat or file.'),
    metadata: argument(memoryIn.metadata, 'Fields to filter by later.'),
  },
  { content: 'text' },
);

type Accepted = z.output<typeof memoryAccepted>;

export const remember: Tool = {
  needs: memoryAddOperation,
  definition: {
    name: 'remember',
    title: 'Remember a text',
    description:
      'Remember one fact, preference, address, date or note: store it with a receipt, so that it can be recalled afterwards. Use it when ' +
      'someone says something that is worth knowing later.',
    inputSchema: list.schema,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
  async call(args, calling) {
    const request = { query: { include: 'similar' }, body: bodyOf(args, calling), settleSeconds };
    const answer = await answerOf(memoryAddOperation, list, args, calling, request).catch(refuseHeld);
    const accepted = memoryAccepted.parse(answer instanceof RawJson ? JSON.parse(answer.text) : answer);
    const { memory_id, receipt_id, receipt_hash, duplicate, redacted = {}, similar = [], stage } = accepted;
    const message = sentencesAbout(accepted);
    const known = { memory_id, short_id: shortId(memory_id), receipt_id, receipt_hash, duplicate, redacted, similar };
    const said = `${duplicate ? 'Was stored before' : 'Stored'}: ${shortId(memory_id)}, receipt ${receiptPrefix(accepted)}. ${message}`;
    const word = fenceWord(calling.services.writing.world.random);
    return {
      text: [said.trim(), ...similarLines(word, similar)].join('\n'),
      structured: {
        ...known,
        searchable: stage === 'done' && !accepted.invalidated,
        message: similar.length === 0 ? message : `${message} ${aboutSimilar}`,
        ...(similar.length > 0 && { notice: notInstructions }),
      },
    };
  },
};

const aboutSimilar = 'There are similar ones: forget those that this replaces.';

/** The short ids and the beginnings of similar memories, each between tags as the texts of all memories are. */
function similarLines(word: string, similar: NonNullable<Accepted['similar']>): string[] {
  if (similar.length === 0) return [];
  const tag = `memory-${word}`;
  const lines = similar.map(
    ({ memory_id, excerpt }) => `<${tag} id="${shortId(memory_id)}">${escapeNote(excerpt)}</${tag}>`,
  );
  return [`${aboutSimilar} ${notInstructions}`, ...lines];
}

/** Adds to a refusal by a rule how the text is written once it is approved. This tool cannot name an approval. */
function refuseHeld(error: unknown): never {
  if (!(error instanceof Refusal) || error.code !== 'approval_required') throw error;
  const { approval_id: id } = error.details;
  const next = `After that, write it with record_action_batch: kind memory, the same members, approval_id ${id}.`;
  throw new Refusal(error.code, `${error.message} ${next}`, error.details, { cause: error });
}

/** The body of the request to the API. Metadata keeps the spelling of its numbers. */
function bodyOf({ value, text }: Arguments, { caller }: Calling): string {
  const only = value.namespace === undefined ? onlyNamespace(caller) : undefined;
  const namespace = only === undefined ? {} : { namespace: JSON.stringify(only) };
  return changedMembers(text, namespace, { text: 'content' });
}

function sentencesAbout({ stage, redacted, invalidated, ignored }: Accepted): string {
  const said: string[] = [];
  if (invalidated) said.push('It is invalidated, so searches leave it out.');
  else if (stage === 'failed') said.push('It cannot be made searchable.');
  else if (stage !== 'done') said.push('Searches find it in a few seconds.');
  else said.push('Searches find it now.');
  if (redacted) {
    const counts = Object.entries(redacted).map(([kind, number]) => `${number} × ${kind}`);
    said.push(`Replaced by [redacted]: ${counts.join(', ')}.`);
  }
  if (ignored) said.push(`It keeps what it had as ${ignored.join(', ')}.`);
  return said.join(' ');
}
