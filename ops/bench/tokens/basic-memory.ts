import { temporaryDirectory } from '../service.js';
import { countedWords } from './embeddings.js';
import {
  connected,
  hitCounts,
  type Measured,
  oneByOne,
  oneFact,
  program,
  query,
  structuredSearch,
  type Texts,
} from './texts.js';

/**
 * Basic Memory, whose memories are Markdown files. A search names the notes that it found without what is in them, so a
 * model then reads each of them: both are counted.
 */
export async function basicMemoryTexts(command: string): Promise<Measured> {
  const store = temporaryDirectory();
  const embeddings = await countedWords();
  const env = {
    HOME: store.path,
    BASIC_MEMORY_HOME: `${store.path}/notes`,
    BASIC_MEMORY_CONFIG_DIR: `${store.path}/config`,
    BASIC_MEMORY_SEMANTIC_EMBEDDING_PROVIDER: 'openai',
    BASIC_MEMORY_SEMANTIC_EMBEDDING_MODEL: 'bench',
    BASIC_MEMORY_SEMANTIC_EMBEDDING_API_BASE: embeddings.url,
    BASIC_MEMORY_SEMANTIC_EMBEDDING_API_KEY: 'none',
    BASIC_MEMORY_SEMANTIC_EMBEDDING_DIMENSIONS: String(embeddings.dimensions),
  };
  try {
    const texts = await connected(
      program(command, ['mcp'], env),
      async ({ tools, call, structured }): Promise<Texts> => {
        const write = (content: string, title: string) => call('write_note', { title, directory: 'facts', content });
        const found: Record<string, string> = {
          'tools/list': tools,
          'a write of 1': await write(oneFact, 'tide'),
          'a write of 10': await oneByOne((fact, n) => write(fact, `fact ${n}`)),
          'get_context of 5': await call('build_context', { url: 'memory://facts/fact-*', page_size: 5 }),
          'a search without hits': await call('search_notes', { query: 'zzqx', search_type: 'text' }),
          'refusal: argument': await call('write_note', { title: 'x' }),
          'refusal: unknown tool': await call('no_such_tool', {}),
        };
        for (const k of hitCounts) {
          const hits = await call('search_notes', { query, search_type: 'text', page_size: k });
          const links = Array.from(hits.matchAll(/^- permalink: (.+)$/gm), ([, permalink]) => permalink);
          if (links.length !== k) throw new Error(`a search for ${k} notes found ${links.length}:\n${hits}`);
          const contents = await Promise.all(links.map((identifier) => call('read_note', { identifier })));
          found[`a search with ${k} hits`] = [hits, ...contents].join('\n');
          found[`a search with ${k} hits, without contents`] = hits;
        }
        found[structuredSearch] = await structured('search_notes', { query, search_type: 'text', page_size: 3 });
        return found;
      },
    );
    return { name: 'basic-memory', source: 'a hit has the link of its file', texts };
  } finally {
    embeddings.stop();
    store.remove();
  }
}
