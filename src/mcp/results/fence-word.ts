const consonants = 'bcdfghjkmnpqrstvwxz';
const letters = 3;

/**
 * A word for the tags of one answer, in few tokens. A stored text cannot know it, so that it cannot end its tag even where a model
 * reads an escaped tag as one. @param random gives this number of unpredictable bytes
 */
export function fenceWord(random: (count: number) => Uint8Array): string {
  return Array.from(random(letters), (byte) => consonants.charAt(byte % consonants.length)).join('');
}
