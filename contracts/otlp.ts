import { z } from 'zod';

/** The part of an export that is described. Other members are accepted and ignored. */
export const tracesIn = z
  .looseObject({
    resourceSpans: z
      .array(z.looseObject({ scopeSpans: z.array(z.looseObject({ spans: z.array(z.looseObject({})) })) }))
      .describe('As the definitions of OTLP 1 describe them.'),
  })
  .meta({ id: 'TracesIn', description: 'An ExportTraceServiceRequest in the JSON encoding of OTLP.' });

export const tracesTaken = z
  .object({
    partialSuccess: z
      .object({
        rejectedSpans: z.int().min(0).describe('The number of GenAI spans that were refused; 0 with a warning.'),
        errorMessage: z
          .string()
          .describe(
            'The reasons, each with the number of spans and the first of them, and the values that were left out.',
          ),
      })
      .optional()
      .describe('Absent when every span and value was understood.'),
  })
  .meta({ id: 'TracesTaken', description: 'An ExportTraceServiceResponse.' });
export type TracesTaken = z.output<typeof tracesTaken>;
