import type {
  ConnectionOptions,
  ConnectionRequestOptions,
  ConnectionRequestOptionsAsStream,
  ConnectionRequestParams,
  ConnectionRequestResponse,
  ConnectionRequestResponseAsStream,
} from '@elastic/elasticsearch';
import { errors, UndiciConnection } from '@elastic/elasticsearch';
import { Cancelled, DeadlinePassed, withDeadline } from '../../base/deadline.js';

/** For requests that name no time. The client names one for each. */
const usualMs = 10_000;

/**
 * A connection whose `requestTimeout` is the time of the whole request. The library measures only the time to the head of the
 * answer and the pauses in its body, so a body that comes byte by byte would be waited for without end.
 */
export class TimedConnection extends UndiciConnection {
  constructor(options: ConnectionOptions) {
    // Its own limits, which are the same for all requests, would end a request that may take longer.
    super({ ...options, timeout: 0 });
  }

  override request(
    params: ConnectionRequestParams,
    options: ConnectionRequestOptions,
  ): Promise<ConnectionRequestResponse>;
  override request(
    params: ConnectionRequestParams,
    options: ConnectionRequestOptionsAsStream,
  ): Promise<ConnectionRequestResponseAsStream>;
  override async request(
    params: ConnectionRequestParams,
    { timeout = usualMs, signal, ...options }: ConnectionRequestOptions,
  ): Promise<ConnectionRequestResponse | ConnectionRequestResponseAsStream> {
    try {
      return await withDeadline(timeout, (ending) => super.request(params, { ...options, signal: ending }), signal);
    } catch (error) {
      if (error instanceof DeadlinePassed) throw new errors.TimeoutError('Request timed out');
      if (error instanceof Cancelled) throw new errors.RequestAbortedError('Request aborted');
      throw error;
    }
  }

  /** Ends what is in progress, such as a handshake of TLS that is never completed, for which the library would wait. */
  override close(): Promise<void> {
    return this.pool.destroy();
  }
}
