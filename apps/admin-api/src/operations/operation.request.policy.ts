import { ApiError, summaryOf } from '@lyceum/errors';
import type { FieldError, FieldErrorCode } from '@lyceum/errors';
import { jsonPointer } from '@lyceum/platform';
import type { ApiOperation } from './operation.js';

type QueryValue = string | number | boolean | readonly string[];

/** The arguments of an operation by their place in the request. */
export interface OperationArguments {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, QueryValue>>;
  readonly body?: Readonly<Record<string, unknown>> | undefined;
}

/** Limits the errors of a path, which may have any number of unknown members. */
const MAX_FAULTS = 20;

/** The path and query of a request for the operation. The operation validates everything but the path. */
export function requestTarget(operation: ApiOperation, { path, query }: OperationArguments): string {
  const needed = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
  const unknown = needed.length === 0 ? 'Unknown name' : `Unknown name. Known: ${needed.join(', ')}`;
  const errors = [
    ...needed.filter((name) => !Object.hasOwn(path, name)).map((name) => fault(name, 'required', 'Required')),
    ...Object.keys(path)
      .filter((name) => !needed.includes(name))
      .map((name) => fault(name, 'unknown_member', unknown)),
    ...needed
      .filter((name) => path[name] !== undefined && !isSegment(path[name]))
      .map((name) => fault(name, 'invalid_format', 'Must be an id, not empty and not a dot segment')),
  ];
  if (errors.length > 0) {
    throw new ApiError('validation_failed', summaryOf(errors, ''), {
      errors: errors.slice(0, MAX_FAULTS),
      hint: 'describe_operation names the parameters of the path',
    });
  }
  const target = operation.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(path[name] ?? ''),
  );
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
  return parameters.size === 0 ? target : `${target}?${parameters.toString()}`;
}

/** The error of an operation, with a pointer to the argument of the tool. */
export function argumentError(
  { pointer, parameter, ...error }: FieldError,
  { path, body = {} }: Pick<OperationArguments, 'path' | 'body'>,
): FieldError {
  if (parameter === 'Idempotency-Key') return { ...error, pointer: '/idempotency_key' };
  if (parameter !== undefined) return { ...error, pointer: `/arguments_json/query${jsonPointer([parameter])}` };
  // An upsert names its key in the path as a member of the object.
  const isKey = Object.keys(path).some((name) => pointer === jsonPointer([name]) && !Object.hasOwn(body, name));
  return { ...error, pointer: `/arguments_json/${isKey ? 'path' : 'body'}${pointer}` };
}

/** Dot segments would lead to another path (RFC 3986 §5.2.4). Half of a surrogate pair has no encoding. */
function isSegment(value: string): boolean {
  return value !== '' && value !== '.' && value !== '..' && value.isWellFormed();
}

function fault(name: string, code: FieldErrorCode, detail: string): FieldError {
  return { pointer: `/arguments_json/path/${name.slice(0, 100)}`, code, detail };
}
