import { rowsRead } from '@lyceum/testing';
import { openDatabase } from '../../test/open-database.js';
import type { OpenDatabase } from '../../test/open-database.js';
import { planOf } from '../../test/query-plan.js';
import { Where, listStatement, searchable } from '@lyceum/rest';
import { student } from './student.schema.js';
import type { StudentListQuery } from './student.schema.js';

const SITE = '0195fa1c-5af3-7000-8000-000000000001';
const STUDENTS = 10_000;
/** Students with one of these names. All others have three Chinese characters from U+4E00 to U+5000, or letters. */
const NAMES = ['王小明', '陳小明', '王子安', 'École du Lac', 'Łukasz Zz', '한지민', 'たなか 🙂', '100%', 'C## ~'];
const QUERY = { sort: '-created_at', limit: 20, include_total: false } as const;
let database: OpenDatabase;

beforeAll(async () => {
  database = await openDatabase();
  await database.dataSource.query(
    `insert into students (site_id, name, email)
     select $1::uuid, case when n % 2 = 0 then chr(19968 + n % 512) || chr(19968 + n % 499) || chr(19968 + n % 503)
       else translate(md5(n::text), '0123456789', 'ghiklmnopr') end, 'student-' || n || '@example.com'
     from generate_series(1, $2::int) n
     union all
     select $1::uuid, name, 'known-' || place || '@example.com' from unnest($3::text[]) with ordinality known (name, place)`,
    [SITE, STUDENTS, NAMES],
  );
  // Merges the pending entries of the index, which the planner would count, and notes how many rows there are.
  await database.dataSource.query('vacuum analyze students');
});
afterAll(() => database.close());

const statementOf = (q: string) =>
  listStatement({ columns: 'id, name', table: 'students', where: whereOf(q) }, QUERY, undefined);
const whereOf = (q: string): Where => {
  const query: StudentListQuery = { ...QUERY, q };
  return searchable(new Where({ site_id: SITE }), student, query);
};

it.each([
  ['王小明', ['王小明']],
  ['小明', ['王小明', '陳小明']],
  ['王', ['王小明', '王子安']],
  ['王 明', ['王小明']],
  ['ÉCOLE', ['École du Lac']],
  ['é', ['École du Lac']],
  ['łu', ['Łukasz Zz']],
  ['zz', ['Łukasz Zz']],
  ['지민', ['한지민']],
  ['なか', ['たなか 🙂']],
  ['🙂', ['たなか 🙂']],
  ['0%', ['100%']],
  ['##', ['C## ~']],
  ['#', ['C## ~']],
  ['~', ['C## ~']],
  ['&', []],
  ["'", []],
  ['明小', []],
  ['@@', []],
])('finds %s by the index and reads matching rows alone', async (q, names) => {
  const { text, values } = statementOf(q);
  const rows = await database.dataSource.query<{ name: string }[]>(text, [...values]);
  expect(rows.map(({ name }) => name).toSorted()).toEqual([...names].toSorted());
  const nodes = await planOf(database, (sql) => sql.query(statementOf(q), statementOf(q).values));
  expect(nodes.map((node) => node['Index Name'])).toContain('students_by_words');
  for (const node of nodes.filter((one) => one['Relation Name'] !== undefined)) expect(rowsRead(node)).toBeLessThan(5);
});

it('finds each character of ASCII, alone and twice, between others', async () => {
  const ascii = Array.from({ length: 94 }, (_, n) => String.fromCodePoint(0x21 + n));
  const words = ascii.flatMap((one) => [one, `${one}${one}`]);
  const missing = await database.dataSource.query<{ word: string }[]>(
    `select word from unnest($1::text[]) word
      where not (search_key('2' || word || 'b') ~ search_pattern(word) and search_key(word) ~ search_pattern(word))`,
    [words],
  );
  expect(missing).toEqual([]);
});

it('finds a word that most students have without reading all of them', async () => {
  const nodes = await planOf(database, (sql) => sql.query(statementOf('example'), statementOf('example').values));
  expect(Math.max(...nodes.map(rowsRead))).toBeLessThan(100);
});
