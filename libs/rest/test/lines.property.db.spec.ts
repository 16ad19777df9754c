import fc from 'fast-check';
import { csvText } from '@lyceum/platform';
import {
  asBigint,
  asInstant,
  asJson,
  asList,
  asNumber,
  asPlain,
  asText,
  asValues,
  asWord,
  objectText,
} from '../src/lines/column-text.js';
import { lineSql } from '../src/lines/row-line.js';
import { openDatabase } from './open-database.js';
import type { OpenDatabase } from './open-database.js';

const COLUMNS = {
  id: asWord('id'),
  text: asText('text'),
  amount: asBigint('amount'),
  rate: asNumber('rate'),
  at: asInstant('at'),
  done: asPlain('done'),
  count: asPlain('count'),
  tags: asList('tags'),
  metadata: asValues('metadata'),
  part: asJson('part'),
};
/** An object in a cell. */
const PART = objectText({ text: asText('text'), at: asInstant('at'), amount: asBigint('amount') });
const LINES = { from: `(select ${PART} as part offset 0) parts`, columns: COLUMNS };

interface Values {
  readonly text?: string | null;
  readonly amount?: string | null;
  readonly rate?: string | null;
  readonly at?: string | null;
  readonly done?: boolean | null;
  readonly count?: number | null;
  readonly tags?: readonly string[] | null;
  readonly metadata?: Readonly<Record<string, unknown>> | null;
}

interface Read {
  readonly text: string | null;
  readonly at: Date | null;
  readonly amount: number | null;
  readonly csv: string | null;
  readonly jsonl: string | null;
}

let database: OpenDatabase;
beforeAll(async () => {
  database = await openDatabase();
  await database.dataSource.query(`
    create table hostile (
      id uuid default gen_random_uuid(), text text, amount bigint, rate double precision, at timestamptz(3), done boolean,
      count int, tags text[], metadata jsonb)`);
});
afterAll(() => database.close());

async function rowsOf(list: readonly Values[]): Promise<Read[]> {
  await database.dataSource.query('truncate hostile');
  const given = list.map((values) => ({ ...values, id: crypto.randomUUID() }));
  await database.dataSource.query(
    'insert into hostile select * from jsonb_populate_recordset(null::hostile, $1::jsonb)',
    [JSON.stringify(given)],
  );
  return database.dataSource.query(
    `select *, ${lineSql('csv', LINES)} as csv, ${lineSql('jsonl', LINES)} as jsonl from hostile`,
  );
}

const iso = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : value);

/** The lines that JavaScript writes. */
function written({ csv: _csv, jsonl: _jsonl, ...row }: Read): { csv: string; jsonl: string } {
  const part = { text: row.text, at: iso(row.at), amount: row.amount };
  const shown = Object.fromEntries(Object.entries({ ...row, part }).map(([name, value]) => [name, iso(value)]));
  return { csv: csvText(Object.keys(COLUMNS), [shown], false), jsonl: `${JSON.stringify(shown)}\n` };
}

const HEADS = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠', '"', "'", ',', ' ', '\u2028', '\u{1f600}'];
const unicode = fc.string({ unit: 'binary' }).map((value) => value.replaceAll('\0', ''));
const text = fc.oneof(
  unicode,
  fc.tuple(fc.constantFrom(...HEADS), unicode).map((parts) => parts.join('')),
  fc.tuple(unicode, fc.constantFrom(...HEADS), unicode).map((parts) => parts.join('')),
  fc.constantFrom('', '=1+1', '-5', '"', '""', '\r\n', 'a\rb', '\\', '\\"', '\b\f\u0001\u001f\u007f', 'null'),
);
const MOST = BigInt(Number.MAX_SAFE_INTEGER);
const MAYBE = { nil: null, freq: 4 };
const decimals = fc
  .double({ noNaN: true })
  .filter((value) => value === 0 || (Math.abs(value) >= 1e-4 && Math.abs(value) < 1e15));
const rates = fc.oneof(
  decimals,
  fc.double({ min: 0.0001, max: 1, noNaN: true }),
  fc.tuple(fc.nat(500), fc.integer({ min: 1, max: 500 })).map(([part, all]) => part / all),
  fc.constantFrom(0, -0, 1, 0.0001, 999_999_999_999_999, 0.1 + 0.2),
);
const instants = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
});
/** `JSON.parse` of Node 24 confuses names of equal length that have escapes. No name of metadata has one. */
// oxlint-disable-next-line no-control-regex -- the characters that JSON escapes
const escaped = /["\\\u0000-\u001f]/;
const key = fc.oneof(
  text.filter((name) => name !== '' && !/^\d{1,10}$/.test(name) && !escaped.test(name)),
  fc.constantFrom('a', 'bb', '__proto__x', 'A-1', '07x'),
);
const scalar = fc.oneof(text, fc.boolean(), fc.constant(null), fc.integer());

const values: fc.Arbitrary<Values> = fc.record({
  text: fc.option(text, MAYBE),
  amount: fc.option(fc.bigInt({ min: -MOST, max: MOST }).map(String), MAYBE),
  rate: fc.option(
    rates.map((rate) => (Object.is(rate, -0) ? '-0' : String(rate))),
    MAYBE,
  ),
  at: fc.option(
    instants.map((date) => date.toISOString()),
    MAYBE,
  ),
  done: fc.option(fc.boolean(), MAYBE),
  count: fc.option(fc.integer(), MAYBE),
  tags: fc.option(fc.array(text, { maxLength: 4 }), MAYBE),
  metadata: fc.option(fc.dictionary(key, scalar, { maxKeys: 5, noNullPrototype: true }), MAYBE),
});

it('writes hostile values as JavaScript does, byte for byte', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(values, { minLength: 1, maxLength: 20 }), async (list) => {
      for (const row of await rowsOf(list)) expect({ csv: row.csv, jsonl: row.jsonl }).toEqual(written(row));
    }),
    { numRuns: 300 },
  );
});

it.each<[Values]>([
  [{ at: '10000-01-01T00:00:00Z' }],
  [{ at: '0044-03-15 00:00:00+00 BC' }],
  [{ at: 'infinity' }],
  [{ rate: '0.00001' }],
  [{ rate: '1e21' }],
  [{ rate: 'NaN' }],
  [{ metadata: { b: 'x', 10: 'y' } }],
  [{ metadata: { b: 1.5 } }],
  [{ metadata: { b: { c: 1 } } }],
])('leaves the row of %j to JavaScript', async (row) => {
  const [plain, left] = await rowsOf([{ text: 'plain' }, row]);
  expect(left).toMatchObject({ csv: null, jsonl: null });
  expect(plain).toMatchObject({
    jsonl: expect.stringContaining('"text":"plain"'),
    csv: expect.stringContaining('plain'),
  });
});

it('leaves a bigint to JavaScript that is no safe integer', async () => {
  const amounts = [MOST, MOST + 1n].map((amount) => `(${amount}::bigint)`);
  const read = await database.dataSource.query<{ text: string | null }[]>(
    `select ${asBigint('amount').json} as text from (values ${amounts.join()}) given (amount)`,
  );
  expect(read.map(({ text: shown }) => shown)).toEqual([String(MOST), null]);
});
