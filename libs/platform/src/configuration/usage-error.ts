/** A command was called with wrong arguments. The message is for the person at the console. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
