import { isDeepStrictEqual } from 'node:util';
import { correct, type Finding, find, forget, handOver, type Note, remember } from './acts.js';
import type { Conversation } from './conversation.js';
import { type Desk, type NamespaceName, otherAgent, type StoredMemory } from './desk.js';
import type { Args } from './model.js';

export const areas = ['remember', 'find', 'correct', 'forget', 'hand over', 'approval'] as const;

/** A task of a model, and how its success is seen from outside. */
export interface Task {
  readonly area: (typeof areas)[number];
  readonly key: 'wide' | 'bound';
  /** The memories that are there before. */
  readonly before?: readonly (readonly [string, NamespaceName])[] | undefined;
  /** @throws GaveUp */
  run(conversation: Conversation, desk: Desk): Promise<Outcome>;
}

/** @returns what is wrong; null where all is as it should be */
export type Outcome = (desk: Desk) => Promise<string | null>;

const homeOf = { wide: 'default', bound: 'garden club' } as const;

/** Where a note goes, and who writes it. */
interface Place {
  readonly key?: Task['key'];
  /** The namespace in the words of the user. */
  readonly namespace?: string;
  /** That namespace. */
  readonly into?: NamespaceName;
}

export function remembering(note: Omit<Note, 'namespace'>, { key = 'wide', namespace, into }: Place = {}): Task {
  const whole = { ...note, namespace };
  return {
    area: 'remember',
    key,
    async run(conversation) {
      await remember(conversation, whole);
      return (desk) => isStored(desk, whole, into ?? homeOf[key]);
    },
  };
}

async function isStored(desk: Desk, note: Note, namespace: NamespaceName): Promise<string | null> {
  const { text, source, metadata = {} } = note;
  const found = withText(await desk.memories(), text);
  if (found.length !== 1) return `stored ${found.length} times`;
  const [stored] = found;
  if (stored?.namespace !== namespace) return 'stored in another namespace';
  return stored.source === (source ?? null) && isDeepStrictEqual(stored.metadata, metadata)
    ? null
    : 'stored with other members';
}

const withText = (all: readonly StoredMemory[], text: string) => all.filter((one) => one.text === text);

/** Writes a note and searches for it at once. @param filters made when the task runs */
export function finding(
  note: Note,
  query: string,
  subject: string,
  more: Pick<Finding, 'namespace'> & Pick<Task, 'before'> & Place & { readonly filters?: () => Args } = {},
): Task {
  const { key = 'wide', namespace, filters, before } = more;
  return {
    area: 'find',
    key,
    before,
    async run(conversation) {
      await remember(conversation, { ...note, namespace });
      const { id } = await find(conversation, query, { subject, namespace, filters: filters?.() });
      return async (desk) => {
        const [stored] = withText(await desk.memories(), note.text);
        return stored?.id.endsWith(id) ? null : 'found another memory';
      };
    },
  };
}

export interface Correction {
  readonly outdated: string;
  readonly text: string;
  readonly query: string;
  readonly subject: string;
  /** Another memory, about something that is alike. */
  readonly beside: string;
}

export function correcting(fact: Correction, { key = 'wide', namespace, into = homeOf[key] }: Place = {}): Task {
  const { outdated, text, query, subject, beside } = fact;
  return {
    area: 'correct',
    key,
    before: [
      [beside, into],
      [outdated, into],
    ],
    async run(conversation) {
      await correct(conversation, { text, namespace }, query, subject);
      return async (desk) => {
        const all = await desk.memories();
        if (withText(all, outdated).length > 0) return 'the outdated memory is there';
        return withText(all, text).length === 1 && withText(all, beside).length === 1 ? null : 'another memory is gone';
      };
    },
  };
}

/** Stores a note that the user takes back. */
export function takingBack(text: string, place: Place = {}): Task {
  const { key = 'wide', namespace } = place;
  return {
    area: 'forget',
    key,
    async run(conversation) {
      const id = conversation.model.written(await remember(conversation, { text, namespace }));
      await forget(conversation, id ?? '');
      return (desk) => isGone(desk, text);
    },
  };
}

/** Erases what a search finds. */
export function forgetting(text: string, query: string, subject: string, beside: string, key: Task['key']): Task {
  return {
    area: 'forget',
    key,
    before: [
      [beside, homeOf[key]],
      [text, homeOf[key]],
    ],
    async run(conversation) {
      await forget(conversation, (await find(conversation, query, { subject })).id);
      return (desk) => isGone(desk, text, beside);
    },
  };
}

async function isGone(desk: Desk, text: string, beside?: string): Promise<string | null> {
  const all = await desk.memories();
  if (withText(all, text).length > 0) return 'the memory is there';
  return beside === undefined || withText(all, beside).length === 1 ? null : 'another memory is gone';
}

/** @param about a note that is stored first, to which the handoff refers */
export function handingOver(summary: string, task: string | undefined, place: Place, about?: string): Task {
  const { key = 'wide', namespace, into = homeOf[key] } = place;
  return {
    area: 'hand over',
    key,
    async run(conversation) {
      const written = about === undefined ? undefined : await remember(conversation, { text: about, namespace });
      const id = written && conversation.model.written(written);
      const refs = written && [id ?? ''];
      await handOver(conversation, { summary, to_agent: otherAgent, task, refs }, namespace);
      return async (desk) => {
        const made = (await desk.handoffs()).find((one) => one.summary === summary);
        if (made?.to !== otherAgent || made.task !== (task ?? null)) return 'not handed over';
        if (made.namespace !== into) return 'handed over in another namespace';
        if (about === undefined) return null;
        const [noted] = withText(await desk.memories(), about);
        const [ref] = made.refs;
        return ref !== undefined && noted?.id.endsWith(ref) ? null : 'handed over without the note';
      };
    },
  };
}

/** Stores a note that a rule holds until the owner approves it. */
export function asking(note: Note, { key = 'wide', namespace, into }: Place = {}): Task {
  const whole = { ...note, namespace };
  return {
    area: 'approval',
    key,
    async run(conversation, desk) {
      const asked: string[] = [];
      await remember(conversation, whole, async (id) => {
        asked.push(id);
        await desk.approve(id);
      });
      return async (after) => {
        const used = await after.usedApprovals();
        if (asked.length !== 1 || !used.includes(asked[0] ?? '')) return 'the approval was not used';
        return isStored(after, whole, into ?? homeOf[key]);
      };
    },
  };
}
