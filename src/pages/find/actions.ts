import { admins, type Role, type Visiting, writers } from '../frame/places.js';

/** A thing that a person can do, with the page or the form where it is done. */
export interface Action {
  readonly path: string;
  readonly name: string;
  /** Other words by which people look for it. */
  readonly words: string;
  readonly roles: readonly Role[];
  /** Whether there is no such page where the memory API is switched off. */
  readonly ofMemoryApi?: true;
}

/** Each leads to a form. None is carried out from the menu, because a slip of the finger must not write, pause or make a key. */
const all: readonly Action[] = [
  { path: '/memories/new', name: 'Write a memory', words: 'add new', roles: writers, ofMemoryApi: true },
  { path: '/import', name: 'Import files', words: 'upload pdf text web', roles: writers, ofMemoryApi: true },
  { path: '/connect', name: 'Connect an agent', words: 'mcp client', roles: writers, ofMemoryApi: true },
  { path: '/agents#link', name: 'Link an agent', words: 'add new', roles: admins },
  { path: '/agents/prove', name: 'Link an agent with a proof', words: 'add new identity', roles: admins },
  { path: '/keys#make', name: 'Make an API key', words: 'new add create token secret', roles: admins },
  { path: '/webhooks/new', name: 'Add a webhook', words: 'new make create', roles: writers, ofMemoryApi: true },
  { path: '/namespaces#make', name: 'Make a namespace', words: 'new add create', roles: admins, ofMemoryApi: true },
  { path: '/people#add', name: 'Add a person', words: 'new invite member role', roles: admins },
  { path: '/rules#pause', name: 'Pause or resume all agents', words: 'stop halt switch off', roles: ['owner'] },
  { path: '/rules#add', name: 'Add a rule', words: 'new ask approval', roles: admins },
  { path: '/settings#export', name: 'Export memories and receipts', words: 'download backup file', roles: admins },
];

/** The actions that a person may carry out. */
export function actionsOf({ role, memoryApi }: Visiting): readonly Action[] {
  return all.filter(({ roles, ofMemoryApi }) => roles.includes(role) && (memoryApi || !ofMemoryApi));
}
