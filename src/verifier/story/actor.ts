import type { JsonObject } from '../json.js';
import { plain, type Row } from '../rows.js';

/** The actor of an entry. What it does not say, or does not say as a text, is null. */
export interface ActorFields {
  readonly type: string | null;
  readonly id: string | null;
  readonly user_id: string | null;
  readonly agent_id: string | null;
  readonly app_id: string | null;
  readonly run_id: string | null;
  /** How the request came, if not over REST. */
  readonly via: string | null;
}

export function actorFields(actor: JsonObject): ActorFields {
  const text = (name: string) => {
    const value = actor[name];
    return typeof value === 'string' ? value : null;
  };
  return {
    type: text('type'),
    id: text('id'),
    user_id: text('user_id'),
    agent_id: text('agent_id'),
    app_id: text('app_id'),
    run_id: text('run_id'),
    via: text('via'),
  };
}

const types: Readonly<Record<string, string>> = {
  system: 'the service itself',
  key: 'the API key',
  person: 'the person',
  agent_key: 'the agent key',
  grant: 'the OAuth grant',
};

/** The actor in a few words, such as `the API key 0192…`. */
export function nameOf({ type, id }: ActorFields): string {
  const known = type !== null && Object.hasOwn(types, type) ? types[type] : undefined;
  const what = known ?? (type === null ? 'an unnamed actor' : `the ${plain(type)}`);
  return id === null ? what : `${what} ${plain(id)}`;
}

/** The rest of the actor: what it acted for, and how. */
export function actorRows(actor: ActorFields): Row[] {
  const stated = [
    ['Person', actor.type === 'person' && actor.user_id === actor.id ? null : actor.user_id],
    ['Agent', actor.agent_id],
    ['Application', actor.app_id],
    ['Run', actor.run_id],
    ['Over', actor.via],
  ] as const;
  return stated.flatMap(([name, value]) => (value === null ? [] : [{ name, values: [plain(value)] }]));
}
