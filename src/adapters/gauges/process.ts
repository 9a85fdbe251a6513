import { Gauge, type Registry } from 'prom-client';
import { type PoolLoad, showPools } from './pools.js';

/** The state of this process, which is known without a question to the store. */
export interface ProcessHealth {
  pools(): readonly PoolLoad[];
  /** Each worker, and whether its last step failed. */
  workers(): readonly { readonly name: string; isFailing(): boolean }[];
  /** The certificates that the settings name, and when each of them ends. */
  readonly certificates: readonly { readonly setting: string; readonly endsAt: Date }[];
  readonly build: Readonly<Record<'version' | 'node', string>>;
  now(): Date;
}

export function processGauges(registry: Registry, { pools, workers, certificates, build, now }: ProcessHealth): void {
  const gauge = (name: string, help: string, labelNames: readonly string[], collect: (set: Set) => void) =>
    new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [registry],
      collect() {
        this.reset();
        collect((labels, value) => this.set(labels, value));
      },
    });
  showPools(registry, pools);
  gauge(
    'counterfoil_worker_failing',
    'Whether the last step of a worker of this process failed.',
    ['worker'],
    (set) => {
      for (const worker of workers()) set({ worker: worker.name }, worker.isFailing() ? 1 : 0);
    },
  );
  gauge(
    'counterfoil_certificate_seconds',
    'Time until a certificate ends that a setting names, as this process has read it; below 0 when it has ended.',
    ['setting'],
    (set) => {
      for (const { setting, endsAt } of certificates) set({ setting }, (endsAt.getTime() - now().getTime()) / 1000);
    },
  );
  gauge(
    'counterfoil_build_info',
    'Always 1, with the version of the program and of Node.',
    ['version', 'node'],
    (set) => set(build, 1),
  );
}

type Set = (labels: Readonly<Record<string, string>>, value: number) => void;
