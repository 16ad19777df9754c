import { z } from 'zod';

type Issue = z.core.$ZodIssue;
type Code = Issue['code'];
/** An issue before it has a text: with its value, and with the schema that refuses it. */
type Raw<C extends Code = Code> = z.core.$ZodRawIssue<Extract<Issue, { code: C }>>;

/** Words of an enumeration, or names of known members, in one text. */
const MAX_WORDS = 60;

const TYPES: Readonly<Record<string, string>> = {
  string: 'Must be text',
  number: 'Must be a number',
  int: 'Must be a whole number',
  boolean: 'Must be true or false',
  array: 'Must be a list',
  tuple: 'Must be a list',
  object: 'Must be an object',
  record: 'Must be an object',
  null: 'Must be null',
};

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'Must be a UUID',
  datetime: 'Must be an instant of RFC 3339, such as 2026-11-28T08:00:00Z',
  date: 'Must be a date, such as 2026-11-28',
  time: 'Must be a time, such as 08:00:00',
  email: 'Must be an e-mail address',
  url: 'Must be a URL',
  json_string: 'Must be JSON text',
  base64: 'Must be base64',
  base64url: 'Must be base64url',
};

/** Units of the size of a value. A number has no unit. */
const UNITS: Readonly<Record<string, string>> = {
  string: 'character',
  array: 'item',
  set: 'item',
  map: 'entry',
  file: 'byte',
};

type Texts = { readonly [C in Code]: (issue: Raw<C>) => string };

/** The text of each kind of issue, for people: what the value must be, with its limit. It never quotes the value. */
const TEXTS: Texts = {
  invalid_type: ({ expected }) => TYPES[expected] ?? 'Has the wrong type',
  invalid_format: ({ format }) => FORMATS[format] ?? 'Has the wrong form',
  too_small: (issue) =>
    betweenLimits(issue) ??
    limited(issue.exact === true ? 'Exactly' : issue.inclusive === false ? 'More than' : 'At least', issue),
  too_big: (issue) =>
    betweenLimits(issue) ??
    limited(issue.exact === true ? 'Exactly' : issue.inclusive === false ? 'Less than' : 'At most', issue),
  not_multiple_of: ({ divisor }) => `Must be a multiple of ${divisor}`,
  unrecognized_keys: ({ inst }) => unknownName(knownNames(inst)),
  invalid_key: ({ issues }) => issues[0]?.message ?? 'Is not a valid name',
  invalid_element: ({ issues }) => issues[0]?.message ?? 'Is not valid',
  invalid_value: ({ values }) => oneOf(values),
  invalid_union: (issue) => alternatives(issue),
  custom: () => 'Is not valid',
};

/** The text of an issue whose schema has none of its own. */
function issueText(issue: Raw): string {
  if (issue.input === undefined && issue.code !== 'custom') return 'Required';
  const text = TEXTS[issue.code] as (one: Raw) => string;
  return text(issue);
}

// All surfaces show the same texts, also for issues of schemas in third-party packages.
z.config({ localeError: issueText });

function limited(words: string, issue: Raw<'too_small'> | Raw<'too_big'>): string {
  const limit = issue.code === 'too_small' ? issue.minimum : issue.maximum;
  if (issue.origin === 'date') return `${words} ${new Date(Number(limit)).toISOString()}`;
  const unit = UNITS[issue.origin];
  if (unit === undefined) return `${words} ${limit}`;
  return `${words} ${limit} ${Number(limit) === 1 ? unit : unit.replace(/y$/, 'ie') + 's'}`;
}

/** Names both limits of a number. */
function betweenLimits({ origin, schema }: Raw<'too_small'> | Raw<'too_big'>): string | undefined {
  if (schema === undefined || (origin !== 'number' && origin !== 'int')) return undefined;
  const { minimum, maximum } = schema._zod.bag;
  const limits = [minimum, maximum].filter((limit) => typeof limit === 'number');
  if (limits.length < 2 || limits.some((limit) => Math.abs(limit) >= Number.MAX_SAFE_INTEGER)) return undefined;
  return `Between ${limits.join(' and ')}`;
}

function oneOf(values: readonly z.core.util.Primitive[]): string {
  const words = values.filter((value) => value !== undefined).map((value) => String(value));
  return words.length === 1 ? `Must be ${words[0]}` : `One of: ${listOf(words)}`;
}

function listOf(words: readonly string[]): string {
  return words.length <= MAX_WORDS ? words.join(', ') : `${words.slice(0, MAX_WORDS).join(', ')}, …`;
}

function unknownName(known: readonly string[]): string {
  return known.length === 0 ? 'Unknown name' : `Unknown name. Known: ${listOf(known)}`;
}

function knownNames(schema: Raw['inst']): readonly string[] {
  return schema instanceof z.core.$ZodObject ? Object.keys(schema._zod.def.shape) : [];
}

/** Joins the texts of the forms that a value may have. */
function alternatives(issue: Raw<'invalid_union'>): string {
  if ('options' in issue && Array.isArray(issue.options)) return oneOf(issue.options);
  const texts = issue.errors.flatMap((errors) => errors.filter(({ path }) => path.length === 0).slice(0, 1));
  const distinct = [...new Set(texts.map(({ message }) => message))];
  if (distinct.length === 0) return 'Has none of the known forms';
  return distinct
    .map((text, index) => (index === 0 ? text : `${text.charAt(0).toLowerCase()}${text.slice(1)}`))
    .join(', or ');
}
