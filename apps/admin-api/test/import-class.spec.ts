import { eventually } from '@lyceum/testing';
import { at } from './learner.js';
import { newCourse } from './new-course.js';
import { move, newLectures } from './new-lectures.js';
import { announced, follow } from './new-upload.js';
import type { Upload } from './new-upload.js';
import { TestImports } from './test-imports.js';
import type { Json } from './test-imports.js';
import { toolCaller } from './tool-caller.js';

const CLASS = 30;

let imports: TestImports;
beforeAll(async () => {
  imports = await TestImports.open();
});
afterAll(() => imports.close());

/** The tools of an owner, who is the operator of the tests. */
async function owner() {
  const made = await imports.api.send('POST', '/api/v1/exports?dry_run=true', {
    body: { collection: 'students', format: 'csv' },
  });
  const scopes = ['students:read', 'students:write', 'storage:write'];
  const caller = { scopes, member: { member_id: String(made.body['created_by']), roles: ['owner' as const] } };
  const { call } = toolCaller(imports.api);
  const use = <Result = Json>(name: string, args: object): Promise<Result> => call<Result>(name, args, caller);
  return {
    use,
    /** Uploads a file of CSV, and returns the import after its check. */
    async check(lines: readonly string[], options: object): Promise<Json> {
      const content = `${lines.join('\n')}\n`;
      const { upload } = await use<{ upload: Upload }>('create_upload', announced(content));
      const headers = Object.fromEntries(upload.headers.map(({ name, value }) => [name, value]));
      expect((await follow(imports.api, 'PUT', upload.upload_url, { content, headers })).status).toBe(200);
      await use('complete_upload', { id: upload.id });
      const { import: one } = await use<{ import: Json }>('create_import', {
        format: 'csv',
        upload_id: upload.id,
        ...options,
      });
      await imports.work();
      return use('get_import', { id: one['id'] });
    },
    async run({ id }: Json): Promise<Json> {
      await use('run_import', { id });
      await imports.work();
      return use('get_import', { id });
    },
    async exported(collection: string, filters: object): Promise<string[]> {
      const { export: one } = await use<{ export: Json }>('create_export', { collection, format: 'csv', filters });
      const { download_url } = await eventually(
        () => use('get_export', { id: one['id'] }),
        ({ state }) => state === 'ready',
      );
      return (await follow(imports.api, 'GET', String(download_url))).text.trimEnd().split('\r\n');
    },
  };
}

it('leaves out a column that the mapping of a tool pairs with null', async () => {
  const { check } = await owner();
  const mapping = [
    { key: 'E-mail', value: 'email' },
    { key: 'Note', value: null },
  ];
  const lines = ['E-mail,name,Note', 'noted@class.example,Noted,late'];
  expect(await check(lines, { collection: 'students', mapping })).toMatchObject({
    state: 'previewed',
    preview: { rows_created: 1, rows_failed: 0 },
  });
});

it('imports a class of 30 by tools, corrects two faulty rows, enrolls the class and exports its progress', async () => {
  const course = await newCourse(imports.api);
  const [lecture_id = ''] = await newLectures(imports.api, course.id, 1);
  await move(imports.api, lecture_id, 'publish');
  const { check, run, use, exported } = await owner();

  const emails = Array.from({ length: CLASS }, (_, n) => `pupil-${n + 1}@class.example`);
  const rows = emails.map((email, n) => `${email},Pupil ${n + 1}`);
  const faulty = ['email,name', ...rows.with(4, 'pupil-5 at class.example,Pupil 5').with(17, rows[16] ?? '')];
  const preview = await check(faulty, { collection: 'students' });
  expect(preview).toMatchObject({ state: 'previewed', preview: { rows_created: CLASS - 2, rows_failed: 2 } });
  const faults = preview['faults'] as Json[];
  expect(faults.map(({ line, column, code, value }) => [line, column, code, value])).toEqual([
    [6, 'email', 'invalid_format', 'pupil-5 at class.example'],
    [19, 'email', 'repeated', 'pupil-17@class.example'],
  ]);
  expect(await use('run_import', { id: preview['id'] })).toMatchObject({ ok: false, code: 'invalid_state' });

  const corrected = [...faulty];
  for (const { line } of faults) corrected[Number(line) - 1] = rows[Number(line) - 2] ?? '';
  const whole = await check(corrected, { collection: 'students' });
  expect(whole).toMatchObject({ preview: { rows_created: CLASS, rows_failed: 0 } });
  expect(await run(whole)).toMatchObject({ state: 'completed', rows_created: CLASS });

  const seats = emails.map((email, n) => `${email},${course.slug},seat-${n + 1}`);
  const enrolling = await check(['student_email,course_slug,external_id', ...seats], { collection: 'enrollments' });
  expect(await run(enrolling)).toMatchObject({ state: 'completed', rows_created: CLASS, rows_failed: 0 });

  const filters = { course_id: course.id };
  const enrolled = await imports.api.send<{ data: Json[] }>(
    'GET',
    `/api/v1/enrollments?course_id=${course.id}&limit=100`,
  );
  expect(enrolled.body.data).toHaveLength(CLASS);
  for (const { student_id } of enrolled.body.data.slice(0, 3)) {
    const body = { ...filters, lecture_id, position_seconds: 5, watched_at: at(1), completed: true };
    await imports.api.send('POST', `/api/v1/students/${String(student_id)}/progress`, { body });
  }
  const [header = '', ...watched] = await exported('progress', filters);
  const [completed, lecture] = ['completed', 'lecture_id'].map((name) => header.split(',').indexOf(name));
  expect(watched.map((line) => [line.split(',')[completed ?? -1], line.split(',')[lecture ?? -1]])).toEqual(
    Array.from({ length: 3 }, () => ['true', lecture_id]),
  );
  const rates = await exported('enrollments', filters);
  const place = rates[0]?.split(',').indexOf('completion_rate') ?? -1;
  expect(rates).toHaveLength(CLASS + 1);
  expect(rates[0]).toContain('completion_rate');
  expect(rates.slice(1).filter((line) => line.split(',')[place] === '1')).toHaveLength(3);
});
