import type { Place } from '../fact.js';
import { isRecordedBefore, type Stated } from './receipt.js';
import { monthMs } from './windows.js';

/** The statements of one workspace about an object. */
interface Side<S> {
  /** The place of its first statement. */
  readonly first: Place;
  /** Its statement with the highest seq. */
  readonly newest: Stated<S>;
}

/** An object whose id is shared by all workspaces. */
export interface OwnedObject<S> {
  readonly id: string;
  /** The side of the workspace whose statement was recorded first. Its newest statement is the state of the object. */
  readonly owner: Side<S>;
  /** Workspace → its statements beside those of the owner. */
  readonly others: ReadonlyMap<string, Side<S>>;
}

/** The objects of one kind. They depend on the statements, and not on the order in which these are added. */
interface OwnedObjects<S> {
  readonly size: number;
  get(id: string): OwnedObject<S> | undefined;
  all(): Iterable<OwnedObject<S>>;
  add(id: string, stated: Stated<S>): OwnedObject<S>;
}

type Changing<T> = { -readonly [K in keyof T]: T[K] };
type ChangingSide<S> = Changing<Side<S>>;

interface Entry<S> {
  readonly id: string;
  owner: ChangingSide<S>;
  others: Map<string, ChangingSide<S>>;
}

export function createOwnedObjects<S>(): OwnedObjects<S> {
  const objects = new Map<string, Entry<S>>();
  // Most objects have statements of their owner only, and share this map, which stays empty.
  const noOthers = new Map<string, ChangingSide<S>>();
  return {
    get size() {
      return objects.size;
    },
    get: (id) => objects.get(id),
    all: () => objects.values(),
    add(id, stated) {
      const object = objects.get(id);
      if (object === undefined) {
        const added = { id, owner: sideOf(stated), others: noOthers };
        objects.set(id, added);
        return added;
      }
      const { workspace } = stated;
      const side = object.owner.newest.workspace === workspace ? object.owner : object.others.get(workspace);
      if (side !== undefined) addTo(side, stated);
      else {
        if (object.others === noOthers) object.others = new Map();
        object.others.set(workspace, sideOf(stated));
      }
      giveToOwner(object, workspace);
      return object;
    },
  };
}

/** Makes this workspace the owner if its first statement is now known to be the first of all. */
function giveToOwner<S>(object: Entry<S>, workspace: string): void {
  const side = object.others.get(workspace);
  if (side === undefined || !isRecordedBefore(side.first, object.owner.first)) return;
  object.others.delete(workspace);
  object.others.set(object.owner.newest.workspace, object.owner);
  object.owner = side;
}

function sideOf<S>(stated: Stated<S>): ChangingSide<S> {
  const { recorded_ms, hash } = stated;
  return { first: { recorded_ms, hash }, newest: stated };
}

function addTo<S>(side: ChangingSide<S>, stated: Stated<S>): void {
  const { recorded_ms, hash } = stated;
  if (isRecordedBefore(stated, side.first)) side.first = { recorded_ms, hash };
  if (stated.seq > side.newest.seq) side.newest = stated;
}

/** Objects that a feed lists while they are open, and for 30 days after the task of the newest statement of their owner. */
export interface ListedObjects<S> extends Pick<OwnedObjects<S>, 'get' | 'size'> {
  add(id: string, stated: Stated<S>): OwnedObject<S>;
  /** @param t not before that of an earlier call: objects that cannot be listed again without a new statement are put away */
  at(t: number): readonly OwnedObject<S>[];
}

/** @param isOpen what is not open at one moment stays so until it is stated again */
export function createListedObjects<S>(isOpen: (said: S, t: number) => boolean): ListedObjects<S> {
  const objects = createOwnedObjects<S>();
  const current = new Set<OwnedObject<S>>();
  return {
    get size() {
      return objects.size;
    },
    get: (id) => objects.get(id),
    add(id, stated) {
      const object = objects.add(id, stated);
      current.add(object);
      return object;
    },
    at(t) {
      const found: OwnedObject<S>[] = [];
      for (const object of current) {
        const { said, ended_ms } = object.owner.newest;
        const isRecent = ended_ms > t - monthMs;
        if (isOpen(said, t) || (isRecent && ended_ms <= t)) found.push(object);
        else if (!isRecent) current.delete(object);
      }
      return found;
    },
  };
}
