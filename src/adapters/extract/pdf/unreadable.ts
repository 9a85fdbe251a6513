/** The reason why a PDF cannot be read, as the end of a sentence. */
export class UnreadablePdf extends Error {}
