import { randomUUID } from 'node:crypto';
import { eventually, rowsRead } from '@lyceum/testing';
import type { EntityManager } from 'typeorm';
import { openDatabase } from '../../test/open-database.js';
import type { OpenDatabase } from '../../test/open-database.js';
import { planOf } from '../../test/query-plan.js';
import { FileUseRepository } from './file-use.repository.js';
import { FileUses } from './file-uses.js';
import { sweepAt } from './file.policy.js';
import type { FileState, Purpose } from './file.policy.js';
import { FileRepository } from './file.repository.js';

const site_id = randomUUID();
const [uploader, teacher] = [randomUUID(), randomUUID()];
const owner = { site_id, member_id: uploader, roles: ['owner' as const] };
const DAY_MS = 86_400_000;

let database: OpenDatabase;
let files: FileRepository;
let course: string;
let section: string;
const uses = new FileUses(new FileUseRepository());

beforeAll(async () => {
  database = await openDatabase();
  files = new FileRepository(database.sql);
  course = await newCourse();
  section = await newSection(course);
});
afterAll(() => database.close());

const transaction = <T>(work: (tx: EntityManager) => Promise<T>): Promise<T> => database.dataSource.transaction(work);

async function insert(table: string, row: Readonly<Record<string, unknown>>): Promise<string> {
  const values = { site_id, ...row };
  const columns = Object.keys(values);
  const [made] = await database.dataSource.query<{ id: string }[]>(
    `insert into ${table} (${columns.join(', ')}) values (${columns.map((_, n) => `$${n + 1}`).join(', ')}) returning id`,
    Object.values(values),
  );
  return made?.id ?? '';
}

const newCourse = () => insert('courses', { slug: randomUUID(), name: 'Course' });
const newSection = (course_id: string) => insert('sections', { course_id, title: 'Section', position: 1 });
const newLecture = (course_id = course, section_id = section) =>
  insert('lectures', { course_id, section_id, slug: randomUUID(), title: 'L', position: 1, lecture_type: 'pdf' });

interface Made {
  readonly site_id?: string;
  readonly state?: FileState;
  readonly purpose?: Purpose;
  readonly sweep_at?: Date;
  readonly sha256?: string;
}
const newFile = ({
  state = 'ready',
  purpose = 'attachment',
  sweep_at = sweepAt({ purpose, state: 'ready' }, Date.now()),
  ...more
}: Made = {}) =>
  insert('files', {
    uploader_id: uploader,
    purpose,
    filename: 'a.pdf',
    content_type: 'application/pdf',
    bytes: 1,
    sha256: '0'.repeat(64),
    state,
    rejection: state === 'rejected' ? 'aborted' : null,
    expires_at: sweep_at,
    sweep_at,
    ...more,
  });

const named = (file_id: string, more: object = {}) => ({
  file_id,
  pointer: '/file',
  purpose: 'attachment' as const,
  ...more,
});
const use = (lecture: string, ids: readonly string[], caller: object = owner) =>
  transaction((tx) =>
    uses.replace(tx, { ...owner, ...caller }, 'lecture_id', [{ id: lecture, files: ids.map((id) => named(id)) }]),
  );

interface Stored {
  readonly uses: number;
  readonly sweep_at: Date | null;
}
async function stored(id: string): Promise<Stored | undefined> {
  const [row] = await database.dataSource.query<Stored[]>('select uses, sweep_at from files where id = $1', [id]);
  return row;
}
const daysLeft = async (id: string) =>
  Math.round((((await stored(id))?.sweep_at?.getTime() ?? 0) - Date.now()) / DAY_MS);

const takeExpired = () => files.takeExpired(new Date(Date.now() + DAY_MS));

async function untilBlocked(): Promise<void> {
  const blocked =
    'select 1 from pg_stat_activity where cardinality(pg_blocking_pids(pid)) > 0 and datname = current_database()';
  await eventually(async () => (await database.dataSource.query<unknown[]>(blocked)).length > 0);
}

describe('a file', () => {
  it('expires 7 days after the last of its uses has ended', async () => {
    const [file, one, other] = [await newFile({ sweep_at: new Date(0) }), await newLecture(), await newLecture()];
    await use(one, [file, file]);
    await use(one, [file]);
    await use(other, [file]);
    expect(await stored(file)).toEqual({ uses: 2, sweep_at: null });
    expect(await takeExpired()).toBeUndefined();
    await use(one, []);
    expect(await stored(file)).toEqual({ uses: 1, sweep_at: null });
    await use(other, []);
    expect([await stored(file), await daysLeft(file)]).toMatchObject([{ uses: 0 }, 7]);
    const kept = Math.round(
      (sweepAt({ purpose: 'attachment', state: 'ready' }, Date.now()).getTime() - Date.now()) / DAY_MS,
    );
    expect(await daysLeft(file)).toBe(kept);
  });

  it('loses the use of an object that is deleted with its parent', async () => {
    const own = await newCourse();
    const lecture = await newLecture(own, await newSection(own));
    const file = await newFile();
    await use(lecture, [file]);
    await expect(database.dataSource.query('delete from files where id = $1', [file])).rejects.toThrow('file_uses');
    await database.dataSource.query('delete from courses where id = $1', [own]);
    expect([await stored(file), await daysLeft(file)]).toMatchObject([{ uses: 0 }, 7]);
  });

  it.each<[string, Made, object, string]>([
    ['at another site', { site_id: randomUUID() }, {}, 'not_found'],
    ['by a stranger', {}, { member_id: teacher, roles: ['lecturer'] }, 'not_found'],
    ['by an owner who did not upload it', {}, { member_id: teacher }, 'not_found'],
    ['before it has arrived', { state: 'pending' }, {}, 'invalid_value'],
    ['while it is checked', { state: 'uploaded' }, {}, 'invalid_value'],
    ['after its rejection', { state: 'rejected' }, {}, 'invalid_value'],
    ['for another purpose', { purpose: 'import' }, {}, 'invalid_value'],
  ])('refuses to be used %s', async (_name, made, caller, code) => {
    const file = await newFile(made);
    const refused = use(await newLecture(), [file], caller);
    await expect(refused).rejects.toMatchObject({ code: 'validation_failed', errors: [{ pointer: '/file', code }] });
    expect(await stored(file)).toMatchObject({ uses: 0 });
  });

  it('refuses an object that does not show its type', async () => {
    const [file, id] = [await newFile(), await newLecture()];
    const replace = (more: object) =>
      transaction((tx) => uses.replace(tx, owner, 'lecture_id', [{ id, files: [named(file, more)] }]));
    await expect(replace({ types: ['video/mp4'] })).rejects.toMatchObject({ errors: [{ code: 'invalid_value' }] });
    await replace({ types: ['application/pdf'] });
    // The object has the file already, and is to show it as another type.
    await expect(replace({ types: ['video/mp4'] })).rejects.toMatchObject({ errors: [{ code: 'invalid_value' }] });
  });

  it('goes to other objects by owners only, and stays with its object for others', async () => {
    const [file, one, other] = [await newFile(), await newLecture(), await newLecture()];
    await use(one, [file]);
    const stranger = { member_id: teacher, roles: ['lecturer'] };
    await use(one, [file], stranger);
    await expect(use(other, [file], stranger)).rejects.toMatchObject({ errors: [{ code: 'not_found' }] });
    await use(other, [file], { member_id: teacher });
    expect(await stored(file)).toMatchObject({ uses: 2 });
  });

  it('goes to each revision, and is public, when it is a logo that something uses', async () => {
    const revision = () =>
      insert('appearance_revisions', { version: 1, settings: {}, person_id: randomUUID(), client_id: 'office' });
    const file = await newFile({ purpose: 'logo' });
    const show = async (caller: object) => {
      const user = { id: await revision(), files: [named(file, { purpose: 'logo' })] };
      await transaction((tx) => uses.replace(tx, { ...owner, ...caller }, 'appearance_revision_id', [user]));
    };
    expect(await files.public({ site_id }, file)).toBeUndefined();
    await show({});
    await show({ member_id: teacher, roles: ['lecturer'] });
    expect(await files.public({ site_id }, file)).toMatchObject({ filename: 'a.pdf' });
    expect(await files.public({ site_id: randomUUID() }, file)).toBeUndefined();
  });
});

it('needs no look at other files of the site when its bytes are searched', async () => {
  const [elsewhere, sha256] = [randomUUID(), '1'.repeat(64)];
  await database.dataSource.query(
    `insert into files (site_id, uploader_id, purpose, filename, content_type, bytes, sha256, state, expires_at, sweep_at)
     select $1, $2, 'attachment', 'a.pdf', 'application/pdf', 1, encode(sha256(n::text::bytea), 'hex'), 'ready', at, at
     from generate_series(1, 2000) n, lateral (select now() + interval '7 days') as of (at)`,
    [elsewhere, uploader],
  );
  const same = await newFile({ site_id: elsewhere, sha256 });
  await newFile({ site_id: elsewhere, sha256, state: 'rejected' });
  await database.dataSource.query('analyze files');
  const wanted = { site_id: elsewhere, uploader_id: uploader, purpose: 'attachment', sha256 } as const;
  expect(await files.stored(wanted)).toEqual({ site_id: elsewhere, id: same });
  const nodes = await planOf(database, (sql) => new FileRepository(sql).stored(wanted));
  expect(nodes.map(rowsRead)).toEqual(nodes.map(() => 1));
});

describe('a race', () => {
  it('refuses the use of a file that the sweep has taken', async () => {
    const [file, lecture] = [await newFile({ sweep_at: new Date(0) }), await newLecture()];
    expect(await takeExpired()).toMatchObject({ id: file });
    await expect(use(lecture, [file])).rejects.toMatchObject({ code: 'validation_failed' });
    expect(await stored(file)).toMatchObject({ uses: 0 });
    // Another replica takes it when the first one has not deleted it in time.
    expect(await takeExpired()).toBeUndefined();
    await database.dataSource.query(`update files set sweep_at = now() - interval '1 second' where id = $1`, [file]);
    expect(await takeExpired()).toMatchObject({ id: file });
    await database.dataSource.query('delete from files where id = $1', [file]);
  });

  it('hides a file from the sweep while a transaction begins to use it', async () => {
    const [file, lecture] = [await newFile({ sweep_at: new Date(0) }), await newLecture()];
    await transaction(async (tx) => {
      await uses.replace(tx, owner, 'lecture_id', [{ id: lecture, files: [named(file)] }]);
      expect(await takeExpired()).toBeUndefined();
    });
    expect(await takeExpired()).toBeUndefined();
    expect(await stored(file)).toMatchObject({ uses: 1 });
  });

  it('refuses the use of a file that is rejected meanwhile', async () => {
    const [file, lecture] = [await newFile(), await newLecture()];
    let refused: Promise<unknown> = Promise.resolve();
    await transaction(async (tx) => {
      await tx.query('select 1 from files where id = $1 for no key update', [file]);
      refused = use(lecture, [file]).catch((error: unknown) => error);
      await untilBlocked();
      await tx.query(`update files set state = 'rejected', rejection = 'aborted' where id = $1`, [file]);
    });
    expect(await refused).toMatchObject({
      errors: [{ code: 'invalid_value', detail: expect.stringContaining('rejected') }],
    });
    expect(await stored(file)).toMatchObject({ uses: 0 });
  });

  it('counts each use once while many objects begin and end to use the same files', async () => {
    const ids = await Promise.all(Array.from({ length: 3 }, () => newFile()));
    const lectures = await Promise.all(Array.from({ length: 6 }, () => newLecture()));
    const orders = lectures.map((lecture, n) => use(lecture, n % 2 === 0 ? ids : ids.toReversed()));
    await Promise.all(orders);
    for (const id of ids) expect(await stored(id)).toEqual({ uses: 6, sweep_at: null });
    await Promise.all(lectures.map((lecture) => use(lecture, [])));
    for (const id of ids) expect([await stored(id), await daysLeft(id)]).toMatchObject([{ uses: 0 }, 7]);
  });
});
