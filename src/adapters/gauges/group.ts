import { Gauge, type Registry } from 'prom-client';

/**
 * Gauges of values that are read together. Without a reading they have no values, because those of an earlier one would
 * hide that the source does not answer.
 */
export function gaugeGroup(registry: Registry) {
  const clearings: (() => void)[] = [];
  return {
    gauge(name: string, help: string, labelNames: readonly string[] = []): Gauge {
      const made = new Gauge({ name, help, labelNames: [...labelNames], registers: [registry] });
      // A gauge without labels would have the value 0 after a reset.
      clearings.push(() => (labelNames.length === 0 ? made.remove() : made.reset()));
      return made;
    },
    clear() {
      for (const clearing of clearings) clearing();
    },
  };
}

/** Shows a reading; null when there is none. */
export type Show<T> = (reading: T | null) => void;

/** Makes the gauges of a group, and a function that sets them. */
export function shownBy<T>(
  registry: Registry,
  make: (gauge: ReturnType<typeof gaugeGroup>['gauge']) => (reading: T) => void,
): Show<T> {
  const { gauge, clear } = gaugeGroup(registry);
  const set = make(gauge);
  clear();
  return (reading) => {
    clear();
    if (reading !== null) set(reading);
  };
}
