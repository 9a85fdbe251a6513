import type { Registry } from 'prom-client';
import { type Show, shownBy } from './group.js';

export const roleGauge = (registry: Registry): Show<ReadonlyMap<string, number>> =>
  shownBy<ReadonlyMap<string, number>>(registry, (gauge) => {
    const processes = gauge(
      'counterfoil_role_processes',
      'Processes on this store that have a role; the work of a role with 0 waits.',
      ['role'],
    );
    return (held) => {
      for (const [role, count] of held) processes.set({ role }, count);
    };
  });
