import { temporaryDirectory } from '../service.js';
import { connected, facts, hitCounts, type Measured, oneFact, program, structuredSearch, type Texts } from './texts.js';

/** The reference memory server of MCP. Its memories are observations of entities, which are read by the names of these. */
export async function referenceTexts(command: string): Promise<Measured> {
  const store = temporaryDirectory();
  const entity = (fact: string, n: number) => ({ name: `fact ${n}`, entityType: 'note', observations: [fact] });
  const env = { MEMORY_FILE_PATH: `${store.path}/memory.jsonl` };
  try {
    const texts = await connected(program(command, [], env), async ({ tools, call, structured }): Promise<Texts> => {
      const found: Record<string, string> = {
        'tools/list': tools,
        'a write of 1': await call('create_entities', { entities: [entity(oneFact, 99)] }),
        'a write of 10': await call('create_entities', { entities: facts.map(entity) }),
        'a search without hits': await call('search_nodes', { query: 'zzqx' }),
        'refusal: argument': await call('search_nodes', { query: 1 }),
        'refusal: unknown tool': await call('no_such_tool', {}),
      };
      for (const k of hitCounts) {
        const names = facts.slice(0, k).map((_, n) => `fact ${n}`);
        found[`a search with ${k} hits`] = await call('open_nodes', { names });
      }
      const names = facts.slice(0, 3).map((_, n) => `fact ${n}`);
      found[structuredSearch] = await structured('open_nodes', { names });
      return found;
    });
    return { name: 'reference', source: 'no: a hit is an entity with its type and its observations', texts };
  } finally {
    store.remove();
  }
}
