import type { Registry } from 'prom-client';
import { type Show, shownBy } from './group.js';

/** @returns a function that gets whether the database has answered in time */
export function databaseGauge(registry: Registry): (isUp: boolean) => void {
  const show = shownBy<boolean>(registry, (gauge) => {
    const up = gauge('counterfoil_database_up', 'Whether the database has answered this process in time.');
    return (isUp) => up.set(isUp ? 1 : 0);
  });
  return show;
}

export const freeSpaceGauge = (registry: Registry): Show<number> =>
  shownBy<number>(registry, (gauge) => {
    const free = gauge('counterfoil_free_bytes', 'Free space of the disk that holds DATA_DIR.');
    return (bytes) => free.set(bytes);
  });
