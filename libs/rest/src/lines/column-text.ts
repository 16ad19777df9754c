/**
 * SQL of a value in the lines of a file: the same text as `JSON.stringify` and `csvText` make of it. Both are null
 * where only JavaScript can write the value.
 */
export interface ColumnText {
  readonly json: string;
  readonly cell: string;
}

/** The characters by which a cell begins with a formula, and those for which it needs quotes, as in `csvText`. */
const FORMULA = '^[-=+@\\t\\r\\n＝＋－＠]';
const QUOTED = String.raw`[",\r\n]`;

/** The instants that both write with four digits of the year. */
const FIRST = '0001-01-01T00:00:00Z';
const LAST = '9999-12-31T23:59:59.999Z';

/** The numbers that both write without an exponent. */
const SMALLEST = 0.0001;
const LARGEST = 999_999_999_999_999;

/** A property that `JSON.stringify` writes before the others, by its number. */
const INDEX = '^[0-9]{1,10}$';
/** A number that PostgreSQL and JavaScript write alike. */
const INTEGER = '^(0|-?[1-9][0-9]{0,14})$';

/** An id, an instant as text or a word of a closed list, which neither form escapes. */
export function asWord(sql: string): ColumnText {
  return { json: `coalesce('"' || ${sql} || '"', 'null')`, cell: `coalesce(${sql}::text, '')` };
}

/** A boolean, or an integer of at most 32 bits. */
export function asPlain(sql: string): ColumnText {
  return { json: `coalesce(${sql}::text, 'null')`, cell: `coalesce(${sql}::text, '')` };
}

/** A bigint. Other than a safe integer is left to JavaScript, which refuses it. */
export function asBigint(sql: string): ColumnText {
  return within(sql, [-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER], `${sql}::text`);
}

/** A number of double precision. PostgreSQL writes the exponents of others in another form. */
export function asNumber(sql: string): ColumnText {
  const ofSize = (nothing: string): string =>
    `case when ${sql} is null then '${nothing}' when ${sql} = 0 then '0'
      when abs(${sql}) between ${SMALLEST} and ${LARGEST} then ${sql}::text end`;
  return { json: ofSize('null'), cell: ofSize('') };
}

/** A timestamptz(3). A microsecond more makes PostgreSQL write six digits of the fraction; three are cut off. */
export function asInstant(sql: string): ColumnText {
  const text = `to_json(${sql} at time zone 'UTC' + interval '1 microsecond')::text`;
  const range = [`'${FIRST}'::timestamptz`, `'${LAST}'::timestamptz`] as const;
  return {
    json: within(sql, range, `replace(${text}, '001"', 'Z"')`).json,
    cell: within(sql, range, `replace(substr(${text}, 2), '001"', 'Z')`).cell,
  };
}

/** Text of callers. */
export function asText(sql: string): ColumnText {
  const defused = `case when ${sql} ~ '${FORMULA}' then '''' else '' end`;
  return {
    json: `coalesce(to_json(${sql})::text, 'null')`,
    cell: `case when ${sql} is null then '' when ${sql} !~ '${FORMULA}|${QUOTED}' then ${sql}
      when ${sql} ~ '${QUOTED}' then '"' || ${defused} || replace(${sql}, '"', '""') || '"' else '''' || ${sql} end`,
  };
}

/** An array of texts. */
export function asList(sql: string): ColumnText {
  return asJson(`coalesce(array_to_json(${sql})::text, 'null')`);
}

/** A jsonb object of texts, booleans, nulls and integers. */
export function asValues(sql: string): ColumnText {
  const same = `key !~ '${INDEX}' and (jsonb_typeof(value) in ('string', 'boolean', 'null') or value::text ~ '${INTEGER}')`;
  const members = `string_agg(to_json(key)::text || ':' || value::text, ',')`;
  return asJson(
    `case when ${sql} = '{}' then '{}' when ${sql} is null then 'null' when jsonb_typeof(${sql}) = 'object' then (
      select case when bool_and(${same}) then '{' || ${members} || '}' end from jsonb_each(${sql})) end`,
  );
}

/** JSON as text, such as that of `objectText`. */
export function asJson(sql: string): ColumnText {
  const quoted = `'"' || replace(${sql}, '"', '""') || '"'`;
  return {
    json: sql,
    cell: `case when ${sql} = 'null' then '' when ${sql} ~ '[",]' then ${quoted} else ${sql} end`,
  };
}

/** SQL of the JSON of an object. */
export function objectText(members: Readonly<Record<string, ColumnText>>): string {
  const named = Object.entries(members).map(([name, { json }]) => `"${name}":' || ${json}`);
  return `'{${named.join(` || ',`)} || '}'`;
}

function within(sql: string, [least, most]: readonly [string | number, string | number], shown: string): ColumnText {
  const range = `when ${sql} between ${least} and ${most} then ${shown}`;
  return {
    json: `case ${range} when ${sql} is null then 'null' end`,
    cell: `case ${range} when ${sql} is null then '' end`,
  };
}
