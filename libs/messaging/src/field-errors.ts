import type { FieldError } from '@lyceum/errors';
import type { z } from 'zod';

/** The faults of a value as JSON Pointers (RFC 6901), so that a caller, or a model, can repair it. At most twenty. */
export function fieldErrors(error: z.core.$ZodError): FieldError[] {
  return error.issues.slice(0, 20).flatMap((issue): FieldError[] => {
    const at = (path: readonly PropertyKey[]): string =>
      path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        pointer: at([...issue.path, key]),
        code: issue.code,
        detail: 'is not known here',
      }));
    }
    return [{ pointer: at(issue.path), code: issue.code, detail: issue.message }];
  });
}
