import type { FieldError } from '@lyceum/errors';
import type { z } from 'zod';

/** Faults that are named. Who has made more reads the schema again. */
const MAX_FIELD_ERRORS = 20;

/** Letters of a name that the caller has made up, when it is named as a fault. */
const KEY_LENGTH = 100;

/**
 * The faults of a value as JSON Pointers (RFC 6901), so that a caller, or a model, can repair it. At most twenty, whatever
 * was sent: one issue may name thousands of unknown keys.
 */
export function fieldErrors(error: z.core.$ZodError): FieldError[] {
  const faults = error.issues.slice(0, MAX_FIELD_ERRORS).flatMap((issue): FieldError[] => {
    const at = (path: readonly PropertyKey[]): string =>
      path.map((part) => `/${String(part).slice(0, KEY_LENGTH).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.slice(0, MAX_FIELD_ERRORS).map((key) => ({
        pointer: at([...issue.path, key]),
        code: issue.code,
        detail: 'is not known here',
      }));
    }
    return [{ pointer: at(issue.path), code: issue.code, detail: issue.message }];
  });
  return faults.slice(0, MAX_FIELD_ERRORS);
}
