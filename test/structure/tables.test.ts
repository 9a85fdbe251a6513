import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAst } from 'vitest/node';
import { kindsOf } from '../../contracts/entries/by-kind.js';
import { catalogue } from '../../contracts/entries/catalogue.js';
import { projections, receiptsOnly } from '../../projections/all.js';
import { packageRoot } from '../../src/base/package-root.js';

/** Tables that no read model declares, by the folder whose SQL alone may name them. */
const others: Readonly<Record<string, readonly string[]>> = {
  'src/ledger/': [
    'chains',
    'entries',
    'vault',
    'answers',
    'erased',
    'followers',
    'settled_time',
    'ledger_home',
    'pending_appends',
    'stream_position',
    'halted_chains',
  ],
  'src/tlog/': ['trees', 'tiles', 'signing_heirs', 'signing_requests'],
  'projections/ingest/': ['jobs'],
  'projections/search/': ['search_indices', 'search_copies', 'search_floors', 'search_reach', 'search_rebuild'],
  'projections/approvals/': ['approval_notices', 'approval_mails'],
  'projections/webhooks/': ['admissions', 'deliveries', 'webhook_health'],
  'projections/account/': ['sessions', 'last_workspaces', 'guests'],
  'projections/registry/': ['used_challenges'],
  'projections/closes/': ['close_files'],
  'projections/feedback/': ['feedback_files'],
  'projections/spans/': ['open_traces'],
  'projections/uses/': ['credential_uses'],
  'projections/terminal/': ['terminal_accounts', 'watched', 'alerts', 'firings'],
  'src/wiring/start/': ['secrets'],
  'src/commands/': ['first_credentials', 'operation_jobs'],
  'src/workers/': ['leases', 'role_holders', 'stored_feeds'],
  'src/workers/relay/': ['relay_topics', 'relay_partitions', 'relay_stops', 'relay_keys'],
  'src/workers/ethereum/': ['ethereum_transactions', 'ethereum_variants'],
  'src/database/': ['migrations'],
  'src/maintenance/': ['projections'],
  'src/adapters/': ['rate_limits'],
  'src/adapters/oauth/': ['oauth_state'],
};

/** Every table with the folder that owns it: of a read model that of its name. */
const owners = new Map([
  ...projections.flatMap(({ name, tables }) => tables.map((table) => [table, `projections/${name}/`] as const)),
  ...Object.entries(others).flatMap(([folder, tables]) => tables.map((table) => [table, folder] as const)),
]);

const anyTable = `(${[...owners.keys()].join('|')})`;
/** Where SQL names a table: behind the words that a table follows, in a list of tables, or where a fragment of joins begins. */
const mentions = [
  `\\b(?:from|join|into|update|using|only|references)\\s+${anyTable}\\b`,
  `\\b(?:lock|truncate|create|unlogged|alter|drop|exists|vacuum|analyze) (?:table )?${anyTable}\\b`,
  `,\\s*${anyTable}\\s+(?:as\\s+)?[a-z]{1,2}\\b`,
  `^\\s*${anyTable}\\s+(?:as\\s+)?[a-z]{1,2}\\s+(?:left |cross )?(?:join|where)\\b`,
].map((pattern) => new RegExp(pattern, 'g'));

/** The texts of a file, with the parts of a template in one text, and of its comments nothing. */
function textsOf(source: string): string[] {
  const texts: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if ('type' in node && node.type === 'Literal' && 'value' in node && typeof node.value === 'string')
      texts.push(node.value);
    if ('quasis' in node && Array.isArray(node.quasis))
      texts.push(node.quasis.map((part) => String(part.value.cooked)).join('$'));
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseAst(source, { lang: 'ts' }));
  return texts;
}

/** The tables that the SQL of a file names and another folder owns. */
function foreignTables(path: string): string[] {
  const source = readFileSync(join(packageRoot, path), 'utf8');
  // Parsing takes time, and most files hold no SQL.
  const texts = /\b(?:select|join|insert|update|delete|table|vacuum)\b/.test(source) ? textsOf(source) : [];
  const found = texts.flatMap((text) =>
    mentions.flatMap((mention) => Array.from(text.matchAll(mention), ([, table = '']) => table)),
  );
  return [...new Set(found)].filter((table) => !path.startsWith(owners.get(table) ?? '')).sort();
}

const files = ['src', 'projections', 'contracts'].flatMap((folder) =>
  readdirSync(join(packageRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`),
);

describe('tables', () => {
  it('are owned by one folder each', () => {
    const stored = readFileSync(join(packageRoot, 'test/database/schema.txt'), 'utf8').matchAll(/^([a-z_]+)\./gm);
    expect([...new Set(Array.from(stored, ([, table]) => table))].sort()).toEqual([...owners.keys()].sort());
  });

  it('are named only by the SQL of the folder that owns them', () => {
    const wrong = files.flatMap((path) =>
      foreignTables(path).map((table) => `${path} names the table ${table} of ${owners.get(table)}`),
    );
    expect(wrong).toEqual([]);
  });

  it('are reached by other read models only through the rows that their owner names', () => {
    const readModel = /^projections\/([a-z]+)\//;
    const wrong = files.flatMap((path) => {
      const own = readModel.exec(path)?.[1];
      const imports = Array.from(
        readFileSync(join(packageRoot, path), 'utf8').matchAll(/from '([^']+)'/g),
        ([, from = '']) => relative(packageRoot, resolve(packageRoot, dirname(path), from)),
      );
      return imports
        .filter((from) => own !== undefined && (readModel.exec(from)?.[1] ?? own) !== own && !from.endsWith('/rows.js'))
        .map((from) => `${path} imports ${from}`);
    });
    expect(wrong).toEqual([]);
  });

  it('of read models have a folder each, which is in the list of all', () => {
    const folders = readdirSync(join(packageRoot, 'projections')).filter((name) =>
      existsSync(join(packageRoot, 'projections', name, 'projection.ts')),
    );
    expect(projections.map(({ name }) => name).sort()).toEqual(folders.sort());
    for (const { tables, ddl, reveals } of projections) {
      const made = Array.from(ddl.matchAll(/create table (?:if not exists )?(\w+)/g), ([, table]) => table);
      expect([...tables].sort()).toEqual(made.sort());
      expect(Object.keys(reveals).filter((table) => !tables.includes(table))).toEqual([]);
    }
  });

  it('that reveal texts have a statement that takes these out, unless they are never prepared', () => {
    const fromJobs = ['search'];
    for (const { name, reveals, forgets = [] } of projections.filter((one) => !fromJobs.includes(one.name))) {
      const changed = Array.from(forgets.join(';').matchAll(/(?:update|delete from) (\w+)/g), ([, table]) => table);
      const missing = Object.keys(reveals).filter((table) => !changed.includes(table));
      expect([name, missing]).toEqual([name, []]);
    }
  });
});

it('each kind of entry is named by a read model, or on purpose by none but those that count all', () => {
  const counting = ['receipts', 'meter'];
  const named = projections.filter(({ name }) => !counting.includes(name)).flatMap(({ fold }) => fold.kinds);
  expect(kindsOf(catalogue).filter((kind) => !named.includes(kind))).toEqual(receiptsOnly);
});
