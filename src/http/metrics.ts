import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { Operation } from './server.js';

/** Prometheus metrics of this process: requests by route pattern, and what Node tells of itself. */
export function createMetrics(): Pick<Operation, 'metrics' | 'observe'> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'counterfoil_http_request_seconds',
    help: 'Time to answer a request, by route pattern.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers: [registry],
  });
  return {
    metrics: async () => ({ type: registry.contentType, text: await registry.metrics() }),
    observe: (method, route, status, seconds) => requests.observe({ method, route, status: String(status) }, seconds),
  };
}
