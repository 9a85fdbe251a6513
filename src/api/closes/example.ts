import type { CloseFile } from '../../../contracts/feeds/closes.js';
import { indexIds } from '../../../contracts/index-ids.js';
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
export const exampleFile: CloseFile = {
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
