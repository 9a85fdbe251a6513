import type { World } from './world.js';

/** Remembers when something has happened last. */
export interface Lately {
  note(): void;
  /** Whether it has happened in the last `ms` milliseconds. */
  isWithin(ms: number): boolean;
}

/** It counts as having happened at the start, because an earlier process may have done it just before. */
export function createLately({ uptime }: Pick<World, 'uptime'>): Lately {
  let last = uptime();
  return {
    note() {
      last = uptime();
    },
    isWithin: (ms) => uptime() - last <= ms,
  };
}
