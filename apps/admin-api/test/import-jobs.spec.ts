import type { EntityManager } from 'typeorm';
import { FILE_JOB_LIMITS } from '#src/file-jobs/file-job.policy.js';
import { IMPORT_LIMITS } from '#src/imports/import.policy.js';
import { ImportQueue } from '#src/imports/import.queue.js';
import { ImportSteps } from '#src/imports/import.steps.js';
import { ImportSweep } from '#src/imports/import.sweep.js';
import { Outbox } from '@lyceum/messaging';
import { TestImports, importPath } from './test-imports.js';
import type { Json } from './test-imports.js';

const { rowsOfPart } = IMPORT_LIMITS;
/** More than fit into two parts. */
const CROWD = 2 * rowsOfPart + 50;

let imports: TestImports;
beforeAll(async () => {
  imports = await TestImports.open();
});
afterAll(() => imports.close());

const crowd = (domain: string, rows = CROWD): string[] => [
  'email,name',
  ...Array.from({ length: rows }, (_, n) => `s${n}@${domain},Student ${n}`),
];
const studentsOf = async (domain: string): Promise<number> => {
  const { rows } = await imports.database.query<{ count: number }>(
    `select count(*)::int as count from students where email like '%@' || $1`,
    [domain],
  );
  return rows[0]?.count ?? 0;
};

it('writes each row once when a worker dies, and another one takes its job', async () => {
  const one = await imports.checked(crowd('one.example'));
  expect(one).toMatchObject({ state: 'previewed', rows_total: CROWD });
  expect(await imports.filesOf(one)).toHaveLength(3);
  await imports.run(one);
  await imports.worker.turn();
  expect(await imports.read(one)).toMatchObject({ state: 'running', rows_done: rowsOfPart, rows_created: rowsOfPart });
  const [job] = await imports.get(ImportQueue).claim();
  if (job === undefined || job.part === null) throw new Error('No job is due');
  await imports.database.query(`update imports set due_at = now() - interval '1 second' where id = $1`, [one['id']]);
  await imports.worker.turn();
  // The first worker was only slow.
  const late = imports.get(ImportSteps).addPart({ ...job, part: job.part }, (work) =>
    imports.get(Outbox).transaction(async (tx: EntityManager) => {
      await work(tx);
      await imports.get(ImportQueue).again(job, tx);
    }),
  );
  await expect(late).rejects.toThrow('lease');
  await imports.work();
  expect(await imports.read(one)).toMatchObject({
    state: 'completed',
    rows_created: CROWD,
    rows_failed: 0,
    report_url: null,
  });
  expect(await studentsOf('one.example')).toBe(CROWD);
  expect(await imports.filesOf(one)).toEqual([]);
});

it('writes all rows of a part or none, and goes on at the same part after a failure', async () => {
  const one = await imports.checked(crowd('atomic.example', rowsOfPart + 1));
  await imports.run(one);
  await imports.database.query(
    `create function refuse() returns trigger language plpgsql as $$ begin raise 'no space'; end $$;
     create trigger refuse before insert on students for each row when (new.email = 's7@atomic.example')
       execute function refuse()`,
  );
  await imports.worker.turn();
  expect(await imports.read(one)).toMatchObject({ state: 'running', rows_done: 0 });
  expect(await studentsOf('atomic.example')).toBe(0);
  await imports.database.query('drop trigger refuse on students; drop function refuse');
  await imports.database.query(`update imports set due_at = now() where id = $1`, [one['id']]);
  await imports.work();
  expect(await imports.read(one)).toMatchObject({ state: 'completed', rows_created: rowsOfPart + 1, rows_failed: 0 });
});

it('plans each part of many by itself, and does not wait for the disk', async () => {
  await imports.database.query(
    `create function note() returns trigger language plpgsql as $$ begin
       new.metadata = (select coalesce(jsonb_object_agg(name, setting), '{}') from pg_settings
         where source = 'session' and name in ('plan_cache_mode', 'synchronous_commit'));
       return new; end $$;
     create trigger note before insert on students for each row when (new.email like '%-settings.example')
       execute function note()`,
  );
  const settingsOf = async (domain: string, rows: number) => {
    await imports.ran(await imports.checked(crowd(domain, rows)));
    const text = `select distinct metadata as found from students where email like '%@' || $1`;
    return (await imports.database.query<{ found: Json }>(text, [domain])).rows.map(({ found }) => found);
  };
  expect(await settingsOf('many-settings.example', rowsOfPart + 1)).toEqual([
    { plan_cache_mode: 'force_custom_plan', synchronous_commit: 'off' },
  ]);
  expect(await settingsOf('few-settings.example', rowsOfPart)).toEqual([{}]);
  await imports.database.query('drop trigger note on students; drop function note');
});

it('stops between two parts when it is canceled', async () => {
  const one = await imports.checked(crowd('two.example'));
  await imports.run(one);
  await imports.worker.turn();
  const cancel = () => imports.api.send('POST', `${importPath(one)}/cancel`);
  expect((await cancel()).body).toMatchObject({ state: 'canceled', rows_created: rowsOfPart });
  expect((await cancel()).status).toBe(200);
  await imports.work();
  expect(await studentsOf('two.example')).toBe(rowsOfPart);
});

it('shares its turns between sites, not between imports', async () => {
  const [first, second] = imports.api.sites;
  await imports.giveRoles(['owner'], second);
  const started = [
    { site: first, one: await imports.start(crowd('a.example', rowsOfPart + 1), {}, first) },
    { site: first, one: await imports.start(crowd('b.example', rowsOfPart + 1), {}, first) },
    { site: second, one: await imports.start(crowd('c.example', rowsOfPart + 1), {}, second) },
  ];
  await imports.work();
  for (const { one, site } of started) expect((await imports.run(one, {}, site)).status).toBe(200);
  await imports.worker.turn();
  const done = async ({ one, site }: (typeof started)[number]) => Number((await imports.read(one, site))['rows_done']);
  const [one = 0, other = 0, elsewhere] = await Promise.all(started.map(done));
  expect([one + other, elsewhere]).toEqual([rowsOfPart, rowsOfPart]);
  await imports.work();
  for (const { one, site } of started) {
    expect(await imports.read(one, site)).toMatchObject({ state: 'completed', rows_created: rowsOfPart + 1 });
  }
});

it('refuses a row whose address another request has taken since the preview', async () => {
  const one = await imports.checked(['email', 'a@three.example', 'b@three.example']);
  await imports.student({ email: 'b@three.example' });
  const done = await imports.ran(one);
  expect(done).toMatchObject({ state: 'completed', rows_created: 1, rows_failed: 1, faults_count: 1 });
  expect(done['faults']).toEqual([expect.objectContaining({ line: 3, code: 'already_exists' })]);
  expect(await imports.reportOf(one)).toContain('\r\n3,/email,already_exists,');
});

it('stores the first faults and counts all', async () => {
  const one = await imports.checked([
    'email',
    ...Array.from({ length: 1_200 }, (_, n) => `wrong ${n}`),
    'a@four.example',
  ]);
  expect(one).toMatchObject({ faults_count: 1_200, preview: expect.objectContaining({ rows_failed: 1_200 }) });
  expect(one['faults']).toHaveLength(50);
  expect((await imports.reportOf(one)).trimEnd().split('\r\n')).toHaveLength(1_001);
});

it('fails after its last attempt, and says so', async () => {
  const one = await imports.checked(['email', 'a@five.example']);
  await imports.run(one);
  await imports.database.query(`update imports set parts = '{imports/none}', attempts = $2 where id = $1`, [
    one['id'],
    FILE_JOB_LIMITS.attempts - 1,
  ]);
  await imports.work();
  expect(await imports.read(one)).toMatchObject({ state: 'failed', error: 'internal' });
});

it('deletes old imports with their files', async () => {
  const one: Json = await imports.checked(['email', 'a@six.example']);
  expect(await imports.filesOf(one)).toHaveLength(1);
  await imports.get(ImportSweep).run();
  expect(await imports.filesOf(one)).toHaveLength(1);
  await imports.database.query(`update imports set expires_at = now() - interval '1 second' where id = $1`, [
    one['id'],
  ]);
  await imports.get(ImportSweep).run();
  expect((await imports.api.send('GET', importPath(one))).status).toBe(404);
  expect(await imports.filesOf(one)).toEqual([]);
});

it('adds students of a file in Big5 whose columns have other names', async () => {
  const content = Buffer.concat([
    Buffer.from('E-mail,Name,Note\r\nmei@five.example,'),
    Buffer.from([0xaa, 0x4c, 0xac, 0xfc]),
    Buffer.from(',late\r\n'),
  ]);
  const upload_id = await imports.upload(content);
  const form = { collection: 'students', format: 'csv', encoding: 'big5', upload_id };
  const post = (mapping: object) =>
    imports.api.send('POST', '/api/v1/imports', {
      body: { ...form, mapping: { 'E-mail': 'email', Note: null, ...mapping } },
    });
  const refused = await post({ Name: 'nickname' });
  expect([refused.status, refused.body['errors']]).toMatchObject([422, [{ pointer: '/mapping/Name' }]]);
  const one = (await post({ Name: 'name' })).body;
  expect(one).toMatchObject({ encoding: 'big5', mapping: { 'E-mail': 'email', Name: 'name', Note: null } });
  await imports.work();
  expect(await imports.ran(one)).toMatchObject({ state: 'completed', rows_created: 1, faults_count: 0 });
  expect(await imports.students('five.example')).toMatchObject([
    { email: 'mei@five.example', name: '林美', metadata: {} },
  ]);
});
