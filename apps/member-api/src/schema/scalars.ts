import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';
import { codedError } from './coded-error.js';

const RFC_3339 = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/i;

const notAnInstant = (): GraphQLError => codedError('validation_failed', 'DateTime must be an RFC 3339 date-time');

/** An instant in UTC with milliseconds, in the years 1 to 9999. */
function inUtc(value: unknown): string {
  if (typeof value !== 'string') throw notAnInstant();
  const [, date] = RFC_3339.exec(value) ?? [];
  if (date === undefined || Number.isNaN(Date.parse(value))) throw notAnInstant();
  // JavaScript parses February 30 as March 2.
  if (!new Date(`${date}T00:00:00Z`).toISOString().startsWith(date)) throw notAnInstant();
  const instant = new Date(value).toISOString();
  if (!/^\d{4}-/.test(instant) || instant.startsWith('0000')) throw notAnInstant();
  return instant;
}

/** True when a text is a valid `DateTime`. */
export function isDateTime(text: string): boolean {
  try {
    return inUtc(text) !== '';
  } catch {
    return false;
  }
}

/** Stays a string inside the service. */
export const DateTimeScalar = new GraphQLScalarType<string, string>({
  name: 'DateTime',
  description:
    'An instant as an RFC 3339 date-time; those of the server are in UTC with milliseconds, such as 2026-01-31T09:30:00.000Z.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
  serialize: inUtc,
  parseValue: inUtc,
  parseLiteral: (node) => inUtc(node.kind === Kind.STRING ? node.value : undefined),
});

const text = (value: unknown): string => {
  if (typeof value !== 'string') throw new GraphQLError('URL must be a string');
  return value;
};

export const UrlScalar = new GraphQLScalarType<string, string>({
  name: 'URL',
  description: 'An absolute URL.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3986',
  serialize: text,
  parseValue: text,
});
