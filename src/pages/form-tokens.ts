import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** The tokens that show that a form was made for this session: a page of another site cannot know them. */
export interface FormTokens {
  /** @param purpose the path of the page, with the id of the question where the page asks one */
  of(sessionId: string, purpose: string): string;
  isRight(token: string, sessionId: string, purpose: string): boolean;
}

/** @param secret the same in every process on the store */
export function createFormTokens(secret: Uint8Array): FormTokens {
  const of = (sessionId: string, purpose: string) =>
    createHmac('sha256', secret).update(`${sessionId}\n${purpose}`, 'utf8').digest('base64url');
  return {
    of,
    // Digests have one length, which the comparison in constant time needs.
    isRight: (token, sessionId, purpose) => timingSafeEqual(digest(token), digest(of(sessionId, purpose))),
  };
}

const digest = (text: string) => createHash('sha256').update(text, 'utf8').digest();
