import { createRefusedSpans, type RefusedSpans } from './refused.js';
import { type GenAiSpan, type OtlpSpan, readSpan, type SpanLink } from './span.js';

/** The spans of one trace in one export. */
export interface TracePart {
  readonly spans: readonly GenAiSpan[];
  /** Of the spans that are no GenAI spans: they say what is above a GenAI span. */
  readonly links: readonly SpanLink[];
}

export interface ReadExport {
  /** A trace part as JSON: a thread gives texts back faster than objects. */
  readonly traces: readonly { readonly traceId: string; readonly part: string }[];
  readonly refused: RefusedSpans;
  /** Members and values that were not understood, of an export of which nothing else was refused for that. */
  readonly remarks: RefusedSpans;
  /** Spans with attributes of GenAI and no operation, which become no receipts. */
  readonly withoutOperation: number;
}

/** The form of the body of an export. */
export interface ExportForm {
  readonly format: 'protobuf' | 'json';
  readonly gzip: boolean;
}

/** An export, or why it cannot be read. */
export type ReadOrNot =
  | ReadExport
  | { readonly unreadable: string; readonly hasTooManyValues?: true }
  | { readonly tooLarge: true };

/**
 * Reads the body of an export. @throws Refusal rate_limited, or not_ready if a thread failed
 * @param owner whose work it is: see `Task`
 */
export type ReadTraces = (owner: string, body: Uint8Array, form: ExportForm) => Promise<ReadOrNot>;

/** More spans than these in one export are refused. A collector sends 8,192 at a time. */
const spansPerExport = 20_000;

/**
 * GenAI spans of one trace in one export, and its other spans. They are worked on together, on the main thread, so more GenAI
 * spans are refused, and more of the other spans are not remembered.
 */
const spansPerTrace = 1000;
const linksPerTrace = 2000;

/** Collects the spans of an export by trace. */
export function createCollector() {
  const traces = new Map<string, { spans: GenAiSpan[]; links: SpanLink[] }>();
  const refused = createRefusedSpans();
  const remarks = createRefusedSpans();
  let count = 0;
  let [withoutOperation, withoutIds] = [0, 0];
  return {
    /** Whether the next span is read. When it is not, it is counted as refused. */
    takesMore(): boolean {
      count += 1;
      if (count <= spansPerExport) return true;
      refused.add(`an export has more than ${spansPerExport} spans`);
      return false;
    },
    add(span: OtlpSpan): void {
      const read = readSpan(span);
      if ('noSpan' in read) {
        withoutIds += 1;
        return;
      }
      if ('refused' in read) {
        refused.add(read.refused);
        return;
      }
      if ('link' in read && read.looksLikeGenAi) withoutOperation += 1;
      for (const remark of read.remarks ?? []) remarks.add(remark);
      const trace = traces.get(read.traceId) ?? { spans: [], links: [] };
      traces.set(read.traceId, trace);
      if ('link' in read) {
        if (trace.links.length < linksPerTrace) trace.links.push(read.link);
      } else if (trace.spans.length < spansPerTrace) trace.spans.push(read.span);
      else refused.add(`an export has more than ${spansPerTrace} spans of one trace`);
    },
    /** Notes a part of the export that is not read, and refuses the spans in it. */
    leaveOut(reason: string, spans: number): void {
      if (spans > 0) refused.add(reason, undefined, spans);
      else remarks.add(reason);
    },
    result(): ReadExport {
      // Among spans such a record may be anything. When there is nothing else, the export is of something else.
      if (withoutIds > 0 && traces.size === 0 && refused.spans().size === 0) {
        remarks.add('nothing is recorded of records without the ids of a trace and of a span, as logs and metrics are');
      }
      return {
        traces: Array.from(traces, ([traceId, part]) => ({ traceId, part: JSON.stringify(part) })),
        refused: refused.spans(),
        remarks: remarks.spans(),
        withoutOperation,
      };
    },
  };
}

export type Collector = ReturnType<typeof createCollector>;
