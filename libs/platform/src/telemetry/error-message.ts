/** The message of an error, in one line. */
export function errorMessage(fault: unknown): string {
  if (fault instanceof Error) return fault.message;
  return typeof fault === 'string' ? fault : 'something that is no error was thrown';
}
