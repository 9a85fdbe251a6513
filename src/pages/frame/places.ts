import type { roles } from '../../../contracts/session.js';

export type Role = (typeof roles)[number];

/** A page that the navigation leads to. */
export interface Tab {
  readonly path: string;
  readonly name: string;
  /** The roles that may open it; without them everyone may. */
  readonly roles?: readonly Role[];
  /** Whether there is no such page where the memory API is switched off. */
  readonly ofMemoryApi?: true;
  /** Whether only those who run the service may open it. */
  readonly ofOperators?: true;
  /** Addresses of other pages that belong to it. */
  readonly also?: readonly string[];
  /** Addresses below its own that do not belong to it, because they are tabs themselves. */
  readonly apart?: readonly string[];
}

/** An entry of the navigation: one page, or several that are tabs of each other. */
export interface Place {
  readonly name: string;
  readonly tabs: readonly Tab[];
}

export const admins: readonly Role[] = ['owner', 'admin'];
export const writers: readonly Role[] = ['owner', 'admin', 'member'];

/** The places of a person who is signed in. A page stands here as soon as it can be opened, and no earlier. */
const ofPeople: readonly Place[] = [
  { name: 'Overview', tabs: [{ path: '/', name: 'Overview', also: ['/tour'] }] },
  {
    name: 'Memories',
    tabs: [
      { path: '/memories', name: 'All', also: ['/m'], apart: ['/memories/unused'], ofMemoryApi: true },
      { path: '/import', name: 'Import', roles: writers, ofMemoryApi: true },
      { path: '/playground', name: 'Playground', ofMemoryApi: true },
      { path: '/memories/unused', name: 'Unused', ofMemoryApi: true },
      { path: '/namespaces', name: 'Namespaces', ofMemoryApi: true },
    ],
  },
  { name: 'Receipts', tabs: [{ path: '/receipts', name: 'Receipts' }] },
  { name: 'Approvals', tabs: [{ path: '/approvals', name: 'Approvals', ofMemoryApi: true }] },
  {
    name: 'Access',
    tabs: [
      { path: '/connect', name: 'Connect', roles: writers, ofMemoryApi: true },
      { path: '/agents', name: 'Agents', roles: admins },
      { path: '/keys', name: 'Keys', roles: admins },
      { path: '/grants', name: 'Grants' },
      { path: '/webhooks', name: 'Webhooks', roles: writers, ofMemoryApi: true },
    ],
  },
  {
    name: 'Workspace',
    tabs: [
      { path: '/rules', name: 'Rules', roles: admins },
      { path: '/people', name: 'People', roles: admins },
      { path: '/settings', name: 'Settings', roles: admins },
      { path: '/operations', name: 'Operations', ofOperators: true },
    ],
  },
];

/** The pages that everyone may open. */
export const ofEveryone: readonly Tab[] = [
  { path: '/verify', name: 'Verify' },
  { path: '/developers', name: 'Documentation' },
];

/** The facts that decide which pages a person can open. */
export interface Visiting {
  readonly role: Role;
  readonly isOperator: boolean;
  /** Whether the memory API is switched on. */
  readonly memoryApi: boolean;
}

/** The places that a person can open, each with the tabs that they can open. */
export function placesOf({ role, isOperator, memoryApi }: Visiting): readonly Place[] {
  if (role === 'none') return [];
  const opens = ({ roles, ofMemoryApi, ofOperators }: Tab) =>
    (memoryApi || !ofMemoryApi) && (isOperator || !ofOperators) && (roles === undefined || roles.includes(role));
  return ofPeople.flatMap(({ name, tabs }) => {
    const open = tabs.filter(opens);
    return open.length === 0 ? [] : [{ name, tabs: open }];
  });
}

/** Whether a page belongs to a tab: it is that page or is below it. */
export function isAt(path: string, { path: own, also = [], apart = [] }: Tab): boolean {
  return !apart.some((one) => isBelow(path, one)) && [own, ...also].some((one) => isBelow(path, one));
}

const isBelow = (path: string, own: string): boolean => path === own || (own !== '/' && path.startsWith(`${own}/`));
