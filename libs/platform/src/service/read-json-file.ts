import { readFile } from 'node:fs/promises';
import type { z } from 'zod';
import { UsageError } from '../configuration/usage-error.js';
import { bodyErrors } from '../http/field-errors.js';
import { errorMessage } from '../telemetry/error-message.js';

/**
 * Reads the file that a command names.
 *
 * @throws `UsageError` in one line without a value of the file, which can have passwords
 */
export async function readJsonFile<T>(path: string, schema: z.ZodType<T>): Promise<T> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new UsageError(`${path} cannot be read: ${errorMessage(error)}`);
  });
  const read = schema.safeParse(parseJson(path, text), { reportInput: true });
  if (read.success) return read.data;
  const faults = bodyErrors(read.error).map(({ pointer, detail }) => `${pointer || '/'}: ${detail}`);
  throw new UsageError(`${path} has errors: ${faults.join('; ')}`);
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${path} is not JSON`);
  }
}
