import type { OwnedObject, OwnedObjects } from './owned.js';
import { createOwnedObjects } from './owned.js';
import type { Stated } from './stated.js';
import { monthMs } from './windows.js';

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
