import { z } from 'zod';

/**
 * The assumptions of a reader of a file or a page, where the bytes did not say something or said something else. They are part of the
 * entry of the write, and so of the receipt: readers of the memory can see that its text is one reading of the bytes among others.
 */
export const assumed = z
  .strictObject({
    charset: z
      .string()
      .optional()
      .describe(
        'The charset that was used, when none was declared and the text is no UTF-8, when another was declared, or when this was declared and the text is rather in another.',
      ),
    replaced: z
      .int()
      .min(1)
      .optional()
      .describe('How many characters are U+FFFD because their bytes were no UTF-8: at most one byte in 1,000.'),
    unreadable_pct: z
      .number()
      .optional()
      .describe('Of a PDF: how many of 100 characters have no Unicode in their font, and are left out.'),
    form_fields: z.int().min(1).optional().describe('Of a PDF: how many values of form fields are part of the text.'),
  })
  .meta({
    id: 'Assumed',
    description: 'What the reader of a file had to assume. Absent when it assumed nothing.',
  });

export type Assumed = Readonly<z.infer<typeof assumed>>;
