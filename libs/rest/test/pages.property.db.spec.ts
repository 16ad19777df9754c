import { randomBytes, randomUUID } from 'node:crypto';
import { preparedQuery } from '@lyceum/platform';
import fc from 'fast-check';
import { Cursors } from '../src/paging/cursor.js';
import { Where, listStatement } from '../src/paging/keyset.js';
import { searchable } from '../src/paging/listing.js';
import { Pager } from '../src/paging/pager.js';
import { openDatabase } from './open-database.js';
import type { OpenDatabase } from './open-database.js';

const STATES = ['draft', 'live', 'ended'] as const;
const NAMES = ['ant', 'bee', 'cat'] as const;
const LISTING = {
  one: 'thing',
  details: [],
  filters: ['state', 'name'],
  ranges: ['created_at'],
  search: { text: 'name' },
};
const PAGER = new Pager(new Cursors([randomBytes(32)]));
const site_id = randomUUID();

interface Thing {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly position: number;
  readonly created_at: Date;
}
type Draft = Omit<Thing, 'id'>;

const instant = (minute: number): Date => new Date(Date.UTC(2026, 0, 1, 0, minute));
const minutes = fc.integer({ min: 0, max: 5 });
/** Few values for each column, so that most rows have the same ones as others. */
const things = fc.array(
  fc.record<Draft>({
    name: fc.constantFrom(...NAMES),
    state: fc.constantFrom(...STATES),
    position: fc.nat(4),
    created_at: minutes.map((minute) => instant(minute)),
  }),
  { maxLength: 40, size: 'max' },
);
/** Most queries have one or two of the filters. */
const sometimes = <T>(filter: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: filter });
const query = fc.record({
  sort: fc.constantFrom('created_at', '-created_at', 'name', '-name', 'position', '-position'),
  limit: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constant(100)),
  include_total: fc.boolean(),
  state: sometimes(fc.oneof(fc.constantFrom(...STATES), fc.uniqueArray(fc.constantFrom(...STATES), { minLength: 1 }))),
  name: sometimes(fc.constantFrom(...NAMES)),
  q: sometimes(fc.constantFrom('a', 'e', 'AT', 'a t', 'dog')),
  'created_at[gte]': sometimes(minutes),
  'created_at[lt]': sometimes(minutes),
});
type Query = typeof query extends fc.Arbitrary<infer T> ? T : never;

let database: OpenDatabase;
beforeAll(async () => {
  database = await openDatabase();
  await database.dataSource.query(`
    create table things (
      id uuid primary key default gen_random_uuid(), site_id uuid not null, name text not null, state text not null,
      position int not null, created_at timestamptz not null)`);
});
afterAll(() => database.close());

async function fill(drafts: readonly Draft[]): Promise<Thing[]> {
  await database.dataSource.query('truncate things');
  const text = `insert into things (site_id, name, state, position, created_at)
    select $1, name, state, position, created_at from jsonb_populate_recordset(null::things, $2) returning *`;
  const made = await database.dataSource.query<Thing[]>(text, [site_id, JSON.stringify(drafts)]);
  await database.dataSource.query(text, [randomUUID(), JSON.stringify(drafts)]);
  return made;
}

/** The rows that the filters name, in the order of the sort and then of the ids. */
function expected(all: readonly Thing[], given: Query): Thing[] {
  const { state, name, q, sort, 'created_at[gte]': from, 'created_at[lt]': to } = given;
  const fits = (thing: Thing): boolean =>
    (state === undefined || [state].flat().includes(thing.state as never)) &&
    (name === undefined || thing.name === name) &&
    (q ?? '').split(' ').every((word) => thing.name.includes(word.toLowerCase())) &&
    (from === undefined || thing.created_at >= instant(from)) &&
    (to === undefined || thing.created_at < instant(to));
  const column = sort.replace('-', '') as 'created_at' | 'name' | 'position';
  const compare = (a: Thing, b: Thing): number => {
    if (a[column] < b[column]) return -1;
    if (a[column] > b[column]) return 1;
    return a.id < b.id ? -1 : 1;
  };
  const found = all.filter(fits).toSorted(compare);
  return sort.startsWith('-') ? found.toReversed() : found;
}

/** Reads all pages, as a caller follows their cursors. */
async function pages({ 'created_at[gte]': from, 'created_at[lt]': to, ...given }: Query) {
  const ranges = {
    'created_at[gte]': from === undefined ? undefined : instant(from).toISOString(),
    'created_at[lt]': to === undefined ? undefined : instant(to).toISOString(),
  };
  const read: { ids: string[]; total: number | undefined }[] = [];
  let cursor: string | undefined;
  do {
    const asked = { ...given, ...ranges, cursor };
    const page = await PAGER.page({ collection: 'things', site_id }, asked, (after) => {
      const where = searchable(new Where({ site_id }), LISTING, asked);
      const columns = 'id, name, state, position, created_at';
      const { values, ...statement } = listStatement({ columns, table: 'things', where }, asked, after);
      return database.dataSource.transaction((tx) =>
        preparedQuery<Thing & { total_count?: number }>(tx, statement, values),
      );
    });
    read.push({ ids: page.rows.map(({ id }) => id), total: page.total });
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return read;
}

it('pages through exactly the sorted list, for any filter, sort and limit', async () => {
  let several = 0;
  await fc.assert(
    fc.asyncProperty(things, query, async (drafts, given) => {
      const wanted = expected(await fill(drafts), given).map(({ id }) => id);
      const read = await pages(given);
      expect(read.flatMap(({ ids }) => ids)).toEqual(wanted);
      expect(read).toHaveLength(Math.max(1, Math.ceil(wanted.length / given.limit)));
      for (const { ids, total } of read) {
        expect(ids.length).toBeLessThanOrEqual(given.limit);
        expect(total).toBe(given.include_total ? wanted.length : undefined);
      }
      if (read.length > 2) several += 1;
    }),
    { numRuns: 150 },
  );
  expect(several).toBeGreaterThan(15);
});
