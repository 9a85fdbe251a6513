import { Refusal } from '../../../contracts/errors.js';
import { type CloseFile, closeFile, closeList } from '../../../contracts/feeds/closes.js';
import { indexIds } from '../../../contracts/index-ids.js';
import { limits } from '../../../contracts/limits.js';
import { cursor as cursorField } from '../../../contracts/memory.js';
import { closesBefore, filesOf } from '../../../projections/closes/queries.js';
import { RawJson } from '../../base/json-text.js';
import { dayText, readDay } from '../../domain/market/indices/days.js';
import { type Operation, operation } from '../operation.js';
import { samples } from '../samples.js';

const sums = {
  tasks: 3,
  successes: 2,
  failures: 1,
  refusals: 0,
  quantity: 2,
  notional_micros: '1250000',
};

/** The file of the first day of an installation. */
const exampleFile: CloseFile = {
  schema: 'counterfoil-close/1',
  day: '2027-03-01',
  receipts: 3,
  root: samples.otherHash,
  total: sums,
  capabilities: [{ capability: 'code-review', ...sums, latencies: { '348': 2, '372': 1 } }],
  sectors: [{ sector: 'build', ...sums }],
  vendors: [{ vendor: 'Acme', ...sums }],
  capability_sectors: [{ capability: 'code-review', sector: 'build' }],
  indices: indexIds.map((id) => {
    const isPriced = ['CFX', 'CFX.BUILD', 'CFX.COST', 'CFX.LAT'].includes(id);
    return {
      id,
      base_day: isPriced || id === 'CFX.REL' ? '2027-03-01' : null,
      last_priced_day: isPriced ? '2027-03-01' : null,
    };
  }),
};

export const closeListOperation = operation({
  method: 'GET',
  path: '/v1/terminal/closes',
  summary: 'The closed days of the public market, newest first',
  access: 'anybody',
  serving: { publicFile: true, revalidates: true, cacheControl: 'public, max-age=60, s-maxage=60' },
  query: { cursor: cursorField },
  answers: { 200: closeList },
  refusals: ['invalid_cursor'],
  documentation: {
    id: 'listCloses',
    description:
      'A page has 100 days. A day of UTC closes an hour after its end. `receipt_id` is the entry of its close in the registry, ' +
      'which states every level and, as `facts_hash`, the SHA-256 of the bytes of the file of the day.',
    answers: {
      200: {
        description: 'A page of closed days.',
        body: {
          data: [{ day: exampleFile.day, receipt_id: samples.receipt, facts_hash: samples.hash }],
          next_cursor: null,
        },
      },
    },
  },
  async handle({ query: { cursor } }, { reading: { read, cursors } }) {
    const before = cursor === undefined ? null : cursors.open('closes', null, cursor);
    const rows = await read((tx) => closesBefore(tx, before, limits.closesPerPage + 1));
    const page = rows.slice(0, limits.closesPerPage);
    const last = rows.length > page.length ? page.at(-1) : undefined;
    return {
      status: 200,
      body: {
        data: page.map(({ day, receipt_id, facts_hash }) => ({ day, receipt_id, facts_hash })),
        next_cursor: last ? cursors.seal('closes', null, last.day) : null,
      },
    };
  },
});

export const closeFileOperation = operation({
  method: 'GET',
  path: '/v1/terminal/closes/:day',
  summary: 'The facts of one closed day, from which its indices can be computed',
  access: 'anybody',
  serving: { publicFile: true, revalidates: true },
  answers: { 200: closeFile },
  refusals: ['close_not_found', 'not_ready'],
  documentation: {
    id: 'getClose',
    description:
      'Sums over the on-time receipts of the day. The bytes are canonical JSON (RFC 8785); they never change, and their SHA-256 is ' +
      '`facts_hash` of the entry of the close. `counterfoil recompute --public` recomputes every level from these files.',
    answers: { 200: { description: 'The file.', body: exampleFile } },
  },
  async handle({ params: { day = '' } }, { reading: { read } }) {
    const [file] = isDay(day) ? await read((tx) => filesOf(tx, [day])) : [];
    if (!file) throw new Refusal('close_not_found');
    // A worker is deriving it again.
    if (file.bytes === null) throw new Refusal('not_ready');
    const body = new RawJson(Buffer.from(file.bytes).toString('utf8'));
    return { status: 200, body, headers: { 'cache-control': 'public, max-age=31536000, immutable' } };
  },
});

const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && isReal(readDay(text), text);
const isReal = (day: number, text: string): boolean => !Number.isNaN(day) && dayText(day) === text;

export const closeOperations: readonly Operation[] = [closeListOperation, closeFileOperation];
