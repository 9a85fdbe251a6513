import { Gauge, type Registry } from 'prom-client';

export function roleGauge(registry: Registry): (held: ReadonlyMap<string, number>) => void {
  const gauge = new Gauge({
    name: 'counterfoil_role_processes',
    help: 'Processes on this store that have a role; the work of a role with 0 waits.',
    labelNames: ['role'],
    registers: [registry],
  });
  return (held) => {
    for (const [role, processes] of held) gauge.set({ role }, processes);
  };
}
