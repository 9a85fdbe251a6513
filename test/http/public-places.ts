import { operations } from '../../src/api/operations.js';

/**
 * An address of every public operation that is read with GET, some with parameters.
 * @param agentId of an identity
 * @param receipts ids of receipts, which must not all be public
 * @param ms a moment of a day
 */
export function publicPlaces(agentId: string, receipts: readonly string[], ms: number): readonly string[] {
  const places = (route: string): string[] => {
    // There is no log of that number, so the answers of these are refusals.
    const path = route.replace(':log', '1').replace(':head_index', '0').replace(':entries', '1');
    if (path === '/v1/agent-id') return [path, `${path}?id=${agentId}`, `${path}?page=1`];
    if (path.endsWith('/tile/*')) return ['0/000.p/1', 'entries/000.p/1'].map((tile) => path.replace('*', tile));
    if (path.includes(':day')) return [path.replace(':day', new Date(ms).toISOString().slice(0, 10))];
    if (path.includes(':agn_id')) return [path.replace(':agn_id', agentId).replace(':epoch', '2026-01-01')];
    if (path.includes(':receipt_id')) return receipts.map((id) => path.replace(':receipt_id', encodeURIComponent(id)));
    if (path.includes(':')) throw new Error(`this test does not know where ${path} leads`);
    return [path];
  };
  return operations
    .filter(({ access, method }) => access === 'anybody' && method === 'GET')
    .flatMap(({ path }) => places(path));
}
