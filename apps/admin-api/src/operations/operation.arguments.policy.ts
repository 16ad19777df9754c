import { ApiError } from '@lyceum/errors';
import type { FieldErrorCode } from '@lyceum/errors';
import { MAX_JSON_DEPTH, isTooDeep } from '@lyceum/platform';
import { z } from 'zod';
import { refuseArgument } from '@lyceum/rest';
import type { OperationArguments } from './operation.request.policy.js';

/** Characters of `arguments_json`: the gateway takes messages of 256 KiB. */
export const MAX_ARGUMENTS_LENGTH = 256 * 1024;

const ARGUMENT = 'arguments_json';
const HINT = 'describe_operation names the parameters and the body';

/** Absent, or null, which some models send for absent arguments. */
const given = <Value extends z.ZodType>(value: Value) =>
  z
    .record(z.string(), value)
    .nullish()
    .transform((values) => values ?? {});

const place = {
  // An external id, the longest parameter of a path, has up to 255 characters.
  path: given(z.string().max(255)),
  query: given(z.union([z.string().max(2_048), z.number(), z.boolean(), z.array(z.string().max(100)).max(100)])),
};
const SCHEMAS = {
  read: z.strictObject(place),
  change: z.strictObject({ ...place, body: z.record(z.string(), z.unknown()).optional() }),
};

/** The arguments of an operation, from JSON text. The operation validates the query and the body. */
export function parseArguments(text: string, kind: keyof typeof SCHEMAS): OperationArguments {
  const parsed = SCHEMAS[kind].safeParse(parseJson(text), { reportInput: true });
  if (parsed.success) return parsed.data;
  throw refuseArgument(ARGUMENT, parsed.error, HINT);
}

function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refusal('invalid_format', 'must be JSON text');
  }
  if (isTooDeep(value)) throw refusal('too_deep', `may have at most ${MAX_JSON_DEPTH} levels of lists and objects`);
  return value;
}

function refusal(code: FieldErrorCode, detail: string): ApiError {
  return new ApiError('validation_failed', `${ARGUMENT} ${detail}`, {
    errors: [{ pointer: `/${ARGUMENT}`, code, detail }],
    hint: HINT,
  });
}
