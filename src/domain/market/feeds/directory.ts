import { symbolOf } from '../../public-name.js';
import type { Market } from '../state/market.js';
import type { AgentRow } from './agents.js';
import type { DirectoryFilters } from './questions.js';
import type { VendorRow } from './vendors.js';

/** The rows that stay, in their order. */
interface Found {
  readonly agents: readonly AgentRow[];
  readonly vendors: readonly VendorRow[];
}

interface AgentEntry {
  readonly agent: string;
  readonly row: AgentRow;
  readonly sectors: ReadonlySet<string>;
  /** The texts in which `q` is searched. */
  readonly texts: readonly string[];
}

interface VendorEntry {
  readonly row: VendorRow;
  readonly name: string;
  /** Its agents of 30 days. */
  readonly agents: readonly string[];
}

/**
 * The directory of agents and vendors at t. An agent stays when it matches all filters. A vendor stays when its name matches
 * `q` or one of its agents stays.
 */
export function createDirectory(
  { tasks, identities }: Market,
  agentRows: readonly AgentRow[],
  vendorRows: readonly VendorRow[],
): (filters: DirectoryFilters) => Found {
  const agents = agentRows.map((row): AgentEntry => {
    const agent = row.agent_id ?? `${row.handle}~${row.tag}`;
    const capabilities = tasks.agents.get(agent)?.capabilities.keys() ?? [];
    const texts = [row.handle, identities.nameOf(agent) ?? '', row.vendor, ...row.capabilities];
    return {
      agent,
      row,
      sectors: new Set([...capabilities].map((one) => tasks.sectorOf(one))),
      texts: texts.map(searchText),
    };
  });
  const vendors = vendorRows.map(
    (row): VendorEntry => ({
      row,
      name: searchText(row.vendor),
      agents: [...(tasks.vendors.get(row.vendor)?.agents.keys() ?? [])],
    }),
  );
  return (filters) => {
    const q = filters.q === undefined ? undefined : searchText(filters.q);
    const staying = agents.filter(isWanted(filters, q));
    const ids = new Set(staying.map(({ agent }) => agent));
    const isStaying = ({ name, agents }: VendorEntry) =>
      (q !== undefined && name.includes(q)) || agents.some((agent) => ids.has(agent));
    return { agents: staying.map(({ row }) => row), vendors: vendors.filter(isStaying).map(({ row }) => row) };
  };
}

function isWanted({ sector, capability, verified }: DirectoryFilters, q: string | undefined) {
  const symbol = capability === undefined ? undefined : symbolOf(capability);
  return ({ row, sectors, texts }: AgentEntry): boolean =>
    (q === undefined || texts.some((text) => text.includes(q))) &&
    (sector === undefined || sectors.has(sector)) &&
    (symbol === undefined || row.capabilities.includes(symbol)) &&
    (verified === undefined || row.verified === verified);
}

/** Texts are compared in NFC and in the lower case of Unicode, which depends on no language. */
const searchText = (text: string): string => text.normalize('NFC').toLowerCase();
