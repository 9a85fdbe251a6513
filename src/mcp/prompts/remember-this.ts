import { Refusal } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import type { Prompt } from '../registry.js';

const description = 'Ask the model to store a text in the memory.';

/** A request of a person to store a text. Nothing is written until the model calls the tool. */
export const rememberThis: Prompt = {
  definition: {
    name: 'remember_this',
    title: 'Remember this',
    description,
    arguments: [{ name: 'text', description: 'The text to store.', required: true }],
  },
  async get({ text = '' }) {
    const isTooLarge = Buffer.byteLength(text) > limits.contentBytes;
    if (text.trim() === '' || isTooLarge) {
      const message = `text must be a string with 1 to ${limits.contentBytes} bytes.`;
      throw new Refusal('invalid_content', message, { issues: [{ path: 'text', message }] });
    }
    const request = 'Call the tool remember with this text, as it is, and then report the id and the receipt:';
    return { description, messages: [{ role: 'user', text: `${request}\n\n${text}` }] };
  },
};
