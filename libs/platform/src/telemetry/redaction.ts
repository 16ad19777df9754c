/** Names whose values are never logged, in any object. Compared without case, `-` and `_`. */
const SECRET_NAMES = new Set(
  [
    'authorization',
    'proxy_authorization',
    'cookie',
    'set_cookie',
    'password',
    'passwd',
    'new_password',
    'secret',
    'client_secret',
    'token',
    'access_token',
    'refresh_token',
    'id_token',
    'id_token_hint',
    'code',
    'code_verifier',
    'assertion',
    'client_assertion',
    'private_key',
    'csrf',
  ].map(plain),
);

export const REDACTED = '[redacted]';
const DEPTH_LIMIT = 6;
const LENGTH_LIMIT = 50;

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[-_]/g, '');
}

/**
 * A copy for the log: secrets replaced, deep and long structures truncated, errors reduced. An error's own properties
 * are omitted: TypeORM's contain statement parameters, others the request.
 */
export function redact(value: unknown, depth = 0): unknown {
  if (value instanceof Error) return describeError(value, depth);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? '[function]' : value;
  if (value instanceof Date) return value;
  if (Buffer.isBuffer(value) || ArrayBuffer.isView(value)) return '[bytes]';
  if (depth >= DEPTH_LIMIT) return '[deep]';
  if (Array.isArray(value)) return value.slice(0, LENGTH_LIMIT).map((item) => redact(item, depth + 1));
  const copy: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value).slice(0, LENGTH_LIMIT)) {
    copy[name] = isSecret(name, item) ? REDACTED : redact(item, depth + 1);
  }
  return copy;
}

/** An API error's `code` is a short name and useful in the log; an authorization code is secret. */
function isSecret(name: string, value: unknown): boolean {
  if (value === undefined || value === null || !SECRET_NAMES.has(plain(name))) return false;
  return (
    name !== 'code' || typeof value !== 'string' || !/^([a-z]+(_[a-z]+)*|[A-Z]+(_[A-Z]+)*|[0-9A-Z]{5})$/.test(value)
  );
}

function describeError(error: Error, depth: number): unknown {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return {
    type: error.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    stack: error.stack,
    ...(error.cause === undefined || depth >= DEPTH_LIMIT ? {} : { cause: redact(error.cause, depth + 1) }),
    ...('errors' in error && Array.isArray(error.errors) && depth < DEPTH_LIMIT
      ? { errors: error.errors.slice(0, LENGTH_LIMIT).map((item: unknown) => redact(item, depth + 1)) }
      : {}),
  };
}
