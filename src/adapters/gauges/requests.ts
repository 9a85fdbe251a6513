import { Counter, Histogram, type Registry } from 'prom-client';

/** A request that was answered. */
export interface AnsweredRequest {
  readonly method: string;
  /** The pattern of the route. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
  /** Why the service could not do it, for an answer with the status 503. */
  readonly cause: string | null;
}

/** @returns a function that is called for each request */
export function requestMetrics(registry: Registry): (answered: AnsweredRequest) => void {
  const requests = new Histogram({
    name: 'counterfoil_http_request_seconds',
    help: 'Time to answer a request, by route pattern.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers: [registry],
  });
  const unavailable = new Counter({
    name: 'counterfoil_unavailable_total',
    help: 'Requests that were answered with 503, by the cause: the kind of the fault, or the code of the refusal.',
    labelNames: ['cause'],
    registers: [registry],
  });
  return ({ method, route, status, seconds, cause }) => {
    requests.observe({ method, route, status: String(status) }, seconds);
    if (cause !== null) unavailable.inc({ cause });
  };
}
