/** Thrown when a setting cannot be used. The message is one sentence that names it and says what to do. */
export class WrongSetting extends Error {
  override name = 'WrongSetting';
}
