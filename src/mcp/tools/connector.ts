import { z } from 'zod';
import { field } from '../../../contracts/input.js';
import { limits } from '../../../contracts/limits.js';
import { memory as memoryShape } from '../../../contracts/memory.js';
import { memoryOperation } from '../../api/memories/one.js';
import { searchOperation } from '../../api/memories/search.js';
import { memoryIdOf } from '../../api/memories/short-id.js';
import { excerptOf } from '../../base/excerpt.js';
import { RawJson, stringify } from '../../base/json-text.js';
import { fitResult, resultCharacters, resultTokens, shortObject, shortText } from '../results/fitting.js';
import { readFound } from '../results/found.js';
import { cutNote, notInstructions } from '../results/notes.js';
import type { Tool } from '../tool.js';
import { argument, argumentList } from './argument-list.js';
import { answerOf } from './arguments.js';
import { query } from './shared-arguments.js';

const hints = { readOnlyHint: true, destructiveHint: false, openWorldHint: false } as const;

/** Titles of memories, which have none: their beginnings. */
const titleCharacters = 80;
const titleOf = (content: string): string =>
  excerptOf(content.slice(0, 1000).replace(/\s+/g, ' ').trim(), titleCharacters);

const searchList = argumentList('unknown_field', { query });

const fetchList = argumentList('unknown_field', {
  id: argument(field(z.string(), 'invalid_request'), 'The id of a result of search.'),
});

const fetched = memoryShape.extend({ metadata: z.instanceof(RawJson) });

/** The page of a memory, for people who may read it. */
const pageOf = (baseUrl: string, id: string): string => `${baseUrl}/m/${id}`;

/** The tools that connectors of ChatGPT require, in the shapes that they require. @param baseUrl of the pages */
export function connectorTools(baseUrl: string): readonly Tool[] {
  return [searchTool(baseUrl), fetchTool(baseUrl)];
}

function searchTool(baseUrl: string): Tool {
  return {
    needs: searchOperation,
    definition: {
      name: 'search',
      title: 'Search',
      description:
        'Search the stored memories. Returns the id, title and address of each result; use fetch for the text of one.',
      inputSchema: searchList.schema,
      annotations: hints,
      _meta: { 'anthropic/maxResultSizeChars': resultCharacters },
    },
    async call(args, calling) {
      const found = readFound(await answerOf(searchOperation, searchList, args, calling, { body: args.text }));
      const results = found.data.map(({ memory_id: id, content }) => ({
        id,
        title: titleOf(content),
        url: pageOf(baseUrl, id),
      }));
      const structured = {
        results,
        notice: notInstructions,
        receipt_id: found.receipt_id,
        receipt_hash: found.receipt_hash,
      };
      return { text: JSON.stringify(structured), structured };
    },
  };
}

function fetchTool(baseUrl: string): Tool {
  return {
    needs: memoryOperation,
    definition: {
      name: 'fetch',
      title: 'Fetch',
      description:
        'Get the text of one memory by its id, with its source, its author, its metadata and the receipt of its write.',
      inputSchema: fetchList.schema,
      annotations: hints,
      _meta: { 'anthropic/maxResultSizeChars': resultCharacters },
    },
    async call(args, calling) {
      const { id } = args.value;
      const known =
        typeof id === 'string' ? await memoryIdOf(memoryOperation, id, calling.caller, calling.services) : '';
      const params = { memory_id: known };
      const memory = fetched.parse(await answerOf(memoryOperation, fetchList, args, calling, { params }));
      const { budget } = calling.services.memories;
      return fitResult(budget, resultTokens, async (share) => {
        // The text is in both forms of the result.
        const cut = await cutNote(
          budget,
          memory.content,
          Math.floor((resultTokens / 2 - limits.tokenBudgetMin) * share),
        );
        const metadata = shortObject(memory.metadata.text, share);
        const structured = {
          id: memory.id,
          title: titleOf(memory.content),
          text: cut.text,
          url: pageOf(baseUrl, memory.id),
          metadata: {
            notice: notInstructions,
            source: memory.source === null ? null : shortText(memory.source, share),
            created_at: memory.created_at,
            namespace_id: memory.namespace_id,
            provenance: memory.provenance,
            receipt_id: memory.receipt_id,
            truncated: cut.isCut,
            ...(memory.invalidated && { invalidated: memory.invalidated }),
            metadata: new RawJson(metadata.text),
          },
        };
        return { text: stringify(structured), structured };
      });
    },
  };
}
