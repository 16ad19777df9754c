import { FIELD_CODES, API_ERROR_CODES } from '@lyceum/errors';
import type { FieldError, FieldErrorCode } from '@lyceum/errors';
import { z } from 'zod';
import './issue-text.js';

/** Reported errors per request. An input can have thousands. */
const MAX_FIELD_ERRORS = 50;

/** Longest reported name of an unknown member. */
const KEY_LENGTH = 100;

type Issue = z.core.$ZodIssue;

/** Maps zod's codes, which appear in no response. A custom issue can name another code: `params: { code }`. */
const CODES: Record<Issue['code'], FieldErrorCode> = {
  invalid_type: 'invalid_type',
  invalid_format: 'invalid_format',
  too_small: 'too_small',
  too_big: 'too_large',
  not_multiple_of: 'invalid_value',
  unrecognized_keys: 'unknown_member',
  invalid_key: 'invalid_value',
  invalid_element: 'invalid_value',
  invalid_value: 'invalid_value',
  invalid_union: 'invalid_value',
  custom: 'invalid_value',
};

/** JSON Pointer (RFC 6901 §3): `~` is `~0`, `/` is `~1`. */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path
    .map((step) => `/${String(step).slice(0, KEY_LENGTH).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

/**
 * Errors of a body or of a tool's arguments, so that the caller or a model can correct it. Parse with `reportInput:
 * true`: without it a missing value looks like one of another type.
 */
export function bodyErrors(error: z.core.$ZodError): FieldError[] {
  return errorsOf(error).map(({ path, ...rest }) => ({ pointer: jsonPointer(path), ...rest }));
}

/** The errors of query parameters, by their names. */
export function parameterErrors(error: z.core.$ZodError): FieldError[] {
  return errorsOf(error).map(({ path: [name = ''], code, detail }) => ({
    parameter: String(name).slice(0, KEY_LENGTH),
    code: code === 'unknown_member' ? 'unknown_parameter' : code,
    detail,
  }));
}

interface PathError {
  readonly path: readonly PropertyKey[];
  readonly code: FieldErrorCode;
  readonly detail: string;
}

function errorsOf(error: z.core.$ZodError): PathError[] {
  return error.issues
    .slice(0, MAX_FIELD_ERRORS)
    .flatMap((issue): PathError[] =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.slice(0, MAX_FIELD_ERRORS).map((key, index) => ({
            path: [...issue.path, key],
            code: 'unknown_member',
            // The first one names those that are known.
            detail: index === 0 ? issue.message : 'Unknown name',
          }))
        : [{ path: issue.path, code: codeOf(issue), detail: issue.message }],
    )
    .slice(0, MAX_FIELD_ERRORS);
}

function codeOf(issue: Issue): FieldErrorCode {
  if ('input' in issue && issue.input === undefined) return 'required';
  const named: unknown = issue.code === 'custom' ? issue.params?.['code'] : undefined;
  return FIELD_CODES.find((code) => code === named) ?? CODES[issue.code];
}

/** A `FieldError` for OpenAPI: a single object, because generated types of a union are hard to read. */
export const fieldErrorSchema = z
  .object({
    pointer: z.string().optional().meta({ description: 'Place in the body: a JSON Pointer (RFC 6901)' }),
    parameter: z.string().optional().meta({ description: 'Name of a query parameter, a path parameter or a header' }),
    code: z.enum([...new Set([...FIELD_CODES, ...API_ERROR_CODES])]),
    detail: z.string(),
    id: z.uuid().optional().meta({ description: 'Id of the conflicting object, for `already_exists`' }),
  })
  .meta({
    id: 'FieldError',
    description: 'One error of the input. Has either `pointer` or `parameter`',
    examples: [{ pointer: '/name', code: 'required', detail: 'Required' }],
  });

const place = z.union([z.object({ pointer: z.string() }), z.object({ parameter: z.string() })]);

/** Parses field errors of another process. An unknown code becomes `invalid_value`. */
export const receivedFieldErrors: z.ZodType<FieldError[]> = z.array(
  place.and(
    z.object({ code: fieldErrorSchema.shape.code.catch('invalid_value'), detail: z.string(), id: z.uuid().optional() }),
  ),
);
