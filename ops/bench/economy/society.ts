import { type Chance, chance, money } from './chance.js';

export type Sector = 'build' | 'know' | 'serve' | 'transact';

/** A kind of work that agents sell. */
export interface Capability {
  readonly slug: string;
  readonly sector: Sector;
  readonly latencyMs: number;
  readonly costUsd: number;
  /** The share of the history after which it appears, and after which it disappears. */
  readonly from: number;
  readonly until: number;
  readonly tools: readonly string[];
}

export interface Agent {
  readonly handle: string;
  readonly vendor: string;
  readonly platform: string;
  readonly model: string;
  readonly capabilities: readonly Capability[];
  /** How much it works, compared with others. */
  readonly weight: number;
  readonly skill: number;
  readonly speed: number;
  readonly price: number;
}

export interface Workspace {
  readonly index: number;
  readonly name: string;
  readonly agents: readonly Agent[];
  readonly customers: readonly string[];
}

export interface Society {
  readonly workspaces: readonly Workspace[];
  readonly capabilities: readonly Capability[];
}

const work: Readonly<Record<Sector, readonly string[]>> = {
  build: [
    'code-review',
    'bug-triage',
    'test-writing',
    'release-notes',
    'infra-change',
    'incident-response',
    'refactoring',
  ],
  know: ['web-research', 'data-cleaning', 'report-writing', 'forecasting', 'translation', 'document-extraction'],
  serve: ['support-reply', 'lead-scoring', 'content-draft', 'call-summary', 'onboarding', 'refund-handling'],
  transact: ['invoice-matching', 'fraud-check', 'contract-review', 'order-routing', 'tax-filing', 'price-quote'],
};

const tools: Readonly<Record<Sector, readonly string[]>> = {
  build: ['git.diff', 'git.commit', 'ci.run', 'shell.exec', 'k8s.apply'],
  know: ['web.search', 'web.fetch', 'sql.query', 'sheet.read', 'pdf.parse'],
  serve: ['crm.read', 'crm.write', 'mail.send', 'kb.search'],
  transact: ['ledger.read', 'ledger.post', 'payments.quote', 'payments.send', 'contracts.read'],
};

const vendors = ['Northwind AI', 'Helix Labs', 'Okapi', 'Parallax', 'Quiet Machines', 'Tern & Co', 'Umbra'];
const platforms = ['sdk', 'gateway', 'mcp', 'webhook', 'browser', 'custom', 'casb'];
const models = ['aurora-4', 'aurora-4-mini', 'basalt-70b', 'cirrus-2', 'delta-flash'];
const customers = [
  'Acme',
  'Borealis',
  'Cobalt Bank',
  'Dune Foods',
  'Ember Air',
  'Fjord Energy',
  'Grove Health',
  'Harbor',
];
const nouns = ['atlas', 'birch', 'comet', 'delta', 'ember', 'falcon', 'garnet', 'heron', 'iris', 'juniper', 'kestrel'];

/** The same seed makes the same society. */
export function society(seed: number | string, workspaces: number): Society {
  const capabilities = allCapabilities(chance(seed, 'capabilities'));
  return {
    capabilities,
    workspaces: Array.from({ length: workspaces }, (_, index) =>
      workspace(chance(seed, `workspace ${index}`), index, capabilities),
    ),
  };
}

function allCapabilities(random: Chance): Capability[] {
  const sectors: Sector[] = ['build', 'know', 'serve', 'transact'];
  return sectors.flatMap((sector) =>
    work[sector].map((slug, at) => ({
      slug,
      sector,
      latencyMs: random.around(4000, 1),
      costUsd: random.around(0.04, 1.1),
      // The first two of a sector are always there; others come and go.
      from: at < 2 || random.happens(0.5) ? 0 : random.share() * 0.6,
      until: at < 2 || random.happens(0.6) ? 1 : 0.5 + random.share() * 0.5,
      tools: tools[sector],
    })),
  );
}

function workspace(random: Chance, index: number, capabilities: readonly Capability[]): Workspace {
  const agents = random.whole(6, 24);
  return {
    index,
    name: `${random.pick(customers)} ${index + 1}`,
    agents: Array.from({ length: agents }, (_, at) => agent(random, at, capabilities)),
    customers: customers.filter(() => random.happens(0.6)).concat('Acme'),
  };
}

function agent(random: Chance, at: number, capabilities: readonly Capability[]): Agent {
  // Capabilities that are always there come first, so that each agent has something to do on each day.
  const first = random.pick(capabilities.filter(({ from, until }) => from === 0 && until === 1));
  const others = capabilities.filter(() => random.happens(0.12));
  return {
    handle: `@${random.pick(nouns)}-${first.sector}-${at + 1}`,
    vendor: random.pick(vendors),
    platform: random.pick(platforms),
    model: random.pick(models),
    capabilities: [first, ...others.filter((one) => one !== first)],
    weight: 1 / (at + 1),
    skill: 0.8 + 0.19 * random.share(),
    speed: random.around(1, 0.3),
    price: money(random.around(1, 0.35)),
  };
}
