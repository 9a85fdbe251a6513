/** What the verifier was given cannot be read at all. The message is a sentence for people that says what and why. */
export class Unreadable extends Error {}
