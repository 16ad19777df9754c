import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';

const RFC_3339 = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/i;

const MICROSECONDS = 6;

const notAnInstant = (): GraphQLError =>
  new GraphQLError('DateTime must be an RFC 3339 date-time', { extensions: { code: 'BAD_USER_INPUT' } });

function instant(value: unknown): string {
  if (typeof value === 'string' && RFC_3339.test(value) && !Number.isNaN(Date.parse(value))) return value;
  throw notAnInstant();
}

/** In UTC, with the microseconds that PostgreSQL keeps, and in the years 1 to 9999: it takes fewer offsets than RFC 3339. */
function inUtc(value: unknown): string {
  const [, date = '', time = '', fraction = '.', offset = ''] = RFC_3339.exec(instant(value)) ?? [];
  // JavaScript takes the 30th of February for the 2nd of March.
  if (!new Date(`${date}T00:00:00Z`).toISOString().startsWith(date)) throw notAnInstant();
  const seconds = new Date(`${date}T${time}${offset}`).toISOString();
  if (!/^\d{4}-/.test(seconds) || seconds.startsWith('0000')) throw notAnInstant();
  return `${seconds.slice(0, 19)}${fraction.slice(0, MICROSECONDS + 1).padEnd(MICROSECONDS + 1, '0')}Z`;
}

/** Whether a text can be given where a `DateTime` is wanted. */
export function isDateTime(text: string): boolean {
  try {
    return inUtc(text) !== '';
  } catch {
    return false;
  }
}

/** Stays text on its way: PostgreSQL writes it, and reads it. */
export const DateTimeScalar = new GraphQLScalarType<string, string>({
  name: 'DateTime',
  description: 'An instant as an RFC 3339 date-time; those of the server are in UTC and end in Z.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
  serialize: instant,
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
