import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';

const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/i;

function instant(value: unknown): string {
  if (typeof value !== 'string' || !RFC_3339.test(value) || Number.isNaN(Date.parse(value))) {
    throw new GraphQLError('DateTime must be an RFC 3339 date-time', { extensions: { code: 'BAD_USER_INPUT' } });
  }
  return value;
}

/** Stays text on its way: PostgreSQL writes it, and reads it. */
export const DateTimeScalar = new GraphQLScalarType<string, string>({
  name: 'DateTime',
  description: 'An instant as an RFC 3339 date-time; those of the server are in UTC and end in Z.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
  serialize: instant,
  parseValue: instant,
  parseLiteral: (node) => instant(node.kind === Kind.STRING ? node.value : undefined),
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
