import { IMPORT_LIMITS } from '#src/imports/import.policy.js';
import { eventually } from '@lyceum/testing';
import type { TestSite } from '@lyceum/testing';
import { untilBlocked, withDatabase } from './database.js';
import { TestImports, importPath } from './test-imports.js';
import type { Json } from './test-imports.js';

const { rowsOfPart } = IMPORT_LIMITS;
/** Parts of the long import, each of which is a run. The other site has ended its work before the last of them. */
const PARTS = 16;
/** The least time of a part, also on a fast machine: the pauses of idle workers do not depend on the machine. */
const PART_SECONDS = 0.4;

let imports: TestImports;
let busy: TestSite;
let other: TestSite;
beforeAll(async () => {
  imports = await TestImports.open();
  [busy, other] = imports.api.sites;
  await imports.giveRoles(['owner'], other);
  // Its workers share their turns. Those of the first replica stand still.
  await imports.api.replica();
});
afterAll(() => imports.close());

/** Lines of a file of students with addresses of a domain. */
const students = (domain: string, count: number): string[] => [
  'email',
  ...Array.from({ length: count }, (_line, n) => `s${n % rowsOfPart}-${n}@${domain}`),
];

interface State {
  readonly state: string;
  readonly rows: number;
}

/** Reads the row of a job: the API would limit the reads of a client. */
async function stateOf(table: 'exports' | 'imports', { id }: Json): Promise<State | undefined> {
  const rows = table === 'exports' ? 'rows_count' : 'rows_created';
  const text = `select state, ${rows}::int as rows from ${table} where id = $1`;
  return (await imports.database.query<State>(text, [id])).rows[0];
}
const until = (table: 'exports' | 'imports', one: Json, wanted: string) =>
  eventually(
    () => stateOf(table, one),
    (found) => found?.state === wanted,
  );

/** A checked import of the busy site. The first row of each part has an address that begins with `s0-`. */
async function checked(domain: string, parts: number): Promise<Json> {
  const one = await imports.start(students(domain, parts * rowsOfPart), {}, busy);
  await until('imports', one, 'previewed');
  return one;
}

/** Imports three students at the other site, from the upload to the last row, and exports the students of the site. */
async function importAndExport(domain: string): Promise<void> {
  const one = await imports.start(students(domain, 3), {}, other);
  await until('imports', one, 'previewed');
  expect((await imports.run(one, {}, other)).status).toBe(200);
  expect(await until('imports', one, 'completed')).toMatchObject({ rows: 3 });
  const body = { collection: 'students', format: 'csv' };
  const exported = await imports.api.send('POST', '/api/v1/exports', { site: other, body });
  expect((await until('exports', exported.body, 'ready'))?.rows).toBeGreaterThanOrEqual(3);
}

it('imports and exports at a site while a part of an import of another site does not end', async () => {
  const one = await checked('held.example', 1);
  await withDatabase(imports.api.databaseUrl, async (client) => {
    await client.query('begin');
    // The part waits for this row, which has the address of one of its students.
    const held = `insert into students (site_id, email, name) values ($1, 's7-7@held.example', 'Held')`;
    await client.query(held, [busy.site_id]);
    await imports.run(one, {}, busy);
    await untilBlocked(client);
    await importAndExport('beside.example');
    expect(await stateOf('imports', one)).toEqual({ state: 'running', rows: 0 });
    await client.query('rollback');
  });
  expect(await until('imports', one, 'completed')).toMatchObject({ rows: rowsOfPart });
});

it('imports and exports at a site before a long import of another site ends', async () => {
  const one = await checked('long.example', PARTS);
  await imports.database.query(
    `create function take_time() returns trigger language plpgsql as
       $$ begin perform pg_sleep(${PART_SECONDS}); return new; end $$;
     create trigger take_time before insert on students for each row when (new.email like 's0-%@long.example')
       execute function take_time()`,
  );
  await imports.run(one, {}, busy);
  await eventually(async () => ((await stateOf('imports', one))?.rows ?? 0) > 0);
  await importAndExport('among.example');
  const meanwhile = await stateOf('imports', one);
  expect(meanwhile?.state).toBe('running');
  expect(meanwhile?.rows).toBeLessThan(PARTS * rowsOfPart);
  const { body } = await imports.api.send('POST', `${importPath(one)}/cancel`, { site: busy });
  expect(body).toMatchObject({ state: 'canceled' });
});
