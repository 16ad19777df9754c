import { MigratedDatabase } from './migrated-database.js';
import { unindexedForeignKeys } from './unindexed-foreign-keys.js';

let database: MigratedDatabase;

beforeAll(async () => {
  database = await MigratedDatabase.open('school', []);
  await database.query(`
    create table things (site_id int, id int, primary key (site_id, id));
    create table parts (
      site_id int, id int, size int, thing_id int,
      primary key (site_id, id), foreign key (site_id, thing_id) references things
    )`);
});
afterAll(() => database.close());

it.each([
  ['no index', '', false],
  ['the columns at its beginning', 'create index one on parts (site_id, thing_id, size)', true],
  ['the columns in another order', 'create index one on parts (thing_id, site_id)', true],
  ['another column between them', 'create index one on parts (site_id, size, thing_id)', false],
  ['one of the columns', 'create index one on parts (site_id)', false],
  ['one of the columns that is unique', 'create unique index one on parts (thing_id)', true],
  ['unique columns with another one', 'create unique index one on parts (site_id, size)', false],
  [
    'rows in which a column is not null',
    'create index one on parts (site_id, thing_id) where thing_id is not null',
    true,
  ],
  ['rows by another column', 'create index one on parts (site_id, thing_id) where size is not null', false],
  ['other rows', 'create index one on parts (site_id, thing_id) where thing_id > 7', false],
  ['an expression', 'create index one on parts (site_id, (thing_id + 1))', false],
])('says whether an index with %s serves a foreign key', async (_what, index, serves) => {
  await database.query(`begin; ${index}`);
  const found = await unindexedForeignKeys(database);
  await database.query('rollback');
  expect(found).toEqual(serves ? [] : ['parts (site_id, thing_id) of things']);
});
