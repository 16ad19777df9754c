import { Outcome } from '@lyceum/errors';
import type { FieldError } from '@lyceum/errors';
import type { z } from 'zod';

/** As many faults as an answer names. A body can hold thousands. */
const MAX_FAULTS = 50;

type Issue = z.core.$ZodIssue;

const codeOf: Partial<Record<Issue['code'], string>> = {
  invalid_type: 'invalid_type',
  too_small: 'too_small',
  too_big: 'too_large',
  invalid_format: 'invalid_format',
  invalid_value: 'invalid_value',
  unrecognized_keys: 'unknown_member',
};

/** JSON Pointer (RFC 6901 §3): `~` is `~0`, `/` is `~1`. */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function faults(error: z.ZodError, pointer: (path: readonly PropertyKey[]) => string): FieldError[] {
  return error.issues
    .flatMap((issue): FieldError[] =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => ({
            pointer: pointer([...issue.path, key]),
            code: 'unknown_member',
            detail: 'Not known here',
          }))
        : [{ pointer: pointer(issue.path), code: describe(issue), detail: issue.message }],
    )
    .slice(0, MAX_FAULTS);
}

function describe(issue: Issue): string {
  if ('input' in issue && issue.input === undefined) return 'required';
  return codeOf[issue.code] ?? 'invalid_value';
}

/** A body that is JSON but not what is asked for: 422 with a JSON Pointer to each fault. */
export function refuseBody(error: z.ZodError): Outcome {
  return new Outcome('validation_failed', 'The body is not acceptable', { errors: faults(error, jsonPointer) });
}

/** An argument of a tool that holds JSON text. The pointers lead from the arguments of the tool into the text. */
export function refuseArgument(argument: string, error: z.ZodError, hint: string): Outcome {
  const errors = faults(error, (path) => jsonPointer([argument, ...path]));
  return new Outcome('validation_failed', `${argument} is not valid`, { errors, hint });
}

/** Query parameters: 400. An unknown one has its own code, because it is the most common slip. */
export function refuseQuery(error: z.ZodError): Outcome {
  const errors = faults(error, (path) => String(path[0] ?? ''));
  const unknown = errors.filter((fault) => fault.code === 'unknown_member');
  if (unknown.length === 0) return new Outcome('invalid_request', 'A parameter is not acceptable', { errors });
  return new Outcome('unknown_parameter', `Unknown parameter: ${unknown.map((fault) => fault.pointer).join(', ')}`, {
    errors: unknown.map((fault) => ({ ...fault, code: 'unknown_parameter' })),
  });
}
