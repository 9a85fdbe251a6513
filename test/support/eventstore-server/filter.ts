import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { Recorded } from './store.js';

export type Filter = (event: Recorded) => boolean;

/** The server's window of a filter that names none. */
const defaultWindow = 32;

/** A filter over names of streams or types of events, by prefixes or by one regular expression. */
export function filterOf(options: ReadReq.Options): Filter {
  const filter = options.getFilter();
  const byStream = filter?.getStreamIdentifier();
  const expression = byStream ?? filter?.getEventType();
  if (!expression) return () => true;
  const textOf = (event: Recorded): string => (byStream ? event.stream : event.type);
  const prefixes = expression.getPrefixList();
  if (prefixes.length > 0) return (event) => prefixes.some((prefix) => textOf(event).startsWith(prefix));
  const pattern = new RegExp(expression.getRegex());
  return (event) => pattern.test(textOf(event));
}

/** After how many events a filtered subscription gets a checkpoint. */
export function checkpointEvery(options: ReadReq.Options): number {
  const filter = options.getFilter();
  if (!filter) return Number.POSITIVE_INFINITY;
  const window = filter.hasMax() ? filter.getMax() : defaultWindow;
  return window * Math.max(1, filter.getCheckpointintervalmultiplier());
}
