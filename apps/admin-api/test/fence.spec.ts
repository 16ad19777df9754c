import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { SITES, expansionsOf, toolArguments } from '@lyceum/collections/conventions';
import type { Caller, Subject } from '@lyceum/collections/conventions';
import type { Role } from '@lyceum/contracts';
import { api, openApi, subjects } from './convention-service.js';
import { FENCE } from './fence-rows.js';
import type { Row, Verdict } from './fence-rows.js';

const ROLES = ['owner', 'admin', 'lecturer', 'teaching_assistant', 'student'] as const satisfies readonly Role[];

let close: () => Promise<void>;
beforeAll(async () => {
  close = await openApi();
});
afterAll(() => close());

const [{ site_id }] = SITES;
type Operation = Subject['operations'][number];

/** A member who teaches a course, of which no object under test is a part. */
async function newTeacher(): Promise<{ person_id: string; lecturer_id: string }> {
  const person_id = randomUUID();
  const [made] = await api.query<{ id: string }>(
    `with course as (insert into courses (site_id, slug, name) values ($1, $2, 'Own') returning id),
       lecturer as (insert into lecturers (site_id, slug, name, member_id) values ($1, $2, 'Teacher', $3) returning id)
     insert into course_lecturers (site_id, course_id, lecturer_id, position)
     select $1, course.id, lecturer.id, 1 from course, lecturer returning lecturer_id as id`,
    [site_id, `fence-${person_id}`, person_id],
  );
  return { person_id, lecturer_id: made?.id ?? '' };
}

/** Makes the teacher the owner of these objects: courses, their parts and students, exports, and a profile. */
async function own({ person_id, lecturer_id }: Awaited<ReturnType<typeof newTeacher>>, ids: readonly string[]) {
  await api.query('update lecturers set member_id = $3 where site_id = $1 and id = any($2)', [site_id, ids, person_id]);
  await api.query('update exports set created_by = $3 where site_id = $1 and id = any($2)', [site_id, ids, person_id]);
  await api.query(
    `insert into enrollments (site_id, student_id, course_id, source)
     select $1, s.id, cl.course_id, 'manual' from students s, course_lecturers cl
     where s.site_id = $1 and s.id = any($2) and cl.site_id = $1 and cl.lecturer_id = $3`,
    [site_id, ids, lecturer_id],
  );
  await api.query(
    `insert into course_lecturers (site_id, course_id, lecturer_id, position)
     select $1, id, $3, 9 from (
       select id from courses where site_id = $1 and id = any($2)
       union select course_id from course_plans where site_id = $1 and id = any($2)
       union select course_id from sections where site_id = $1 and id = any($2)
       union select course_id from lectures where site_id = $1 and id = any($2)
       union select course_id from progress where site_id = $1 and id = any($2)
       union select course_id from course_reviews where site_id = $1 and id = any($2)
       union select course_id from comments where site_id = $1 and id = any($2)
       union select course_id from enrollments where site_id = $1 and (id = any($2) or student_id = any($2))) taught
     on conflict do nothing`,
    [site_id, ids, lecturer_id],
  );
}

/** Makes the teacher hold the sessions of consulting services and slots. */
async function hold({ lecturer_id }: Awaited<ReturnType<typeof newTeacher>>, ids: readonly string[]) {
  await api.query(
    `update consulting_slots set lecturer_id = $3 where site_id = $1 and (id = any($2)
       or id in (select slot_id from consulting_bookings where site_id = $1 and id = any($2)))`,
    [site_id, ids, lecturer_id],
  );
  await api.query(
    `insert into consulting_service_lecturers (site_id, consulting_service_id, lecturer_id, position)
     select $1, id, $3, 9 from consulting_services where site_id = $1 and (id = any($2)
       or id in (select consulting_service_id from consulting_slots where site_id = $1 and id = any($2))
       or id in (select consulting_service_id from consulting_purchases where site_id = $1 and id = any($2)))
     on conflict do nothing`,
    [site_id, ids, lecturer_id],
  );
}

/** Makes the teacher the uploader of files. */
async function upload({ person_id }: { readonly person_id: string }, ids: readonly string[]): Promise<void> {
  await api.query('update files set uploader_id = $3 where site_id = $1 and id = any($2)', [site_id, ids, person_id]);
}

const idsIn = (value: unknown): string[] =>
  JSON.stringify(value).match(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g) ?? [];

function expected(row: Row, { kind, write, described }: Operation, role: Role, isOwn: boolean): Verdict {
  const isNew = kind === 'create' || kind === 'bulk' || kind === 'upsert';
  if (row.foreign === 'private' && !isOwn && !isNew) return 'hidden';
  if (role === 'owner' || role === 'admin') return 'allowed';
  const copies = kind === 'action' && '201' in described.responses;
  const exception = kind === 'delete' ? row.delete : kind === 'patch' ? row.patch : undefined;
  const verdict = !write ? row.read : isNew || copies ? row.create : (exception ?? row.write);
  assert(verdict !== undefined, `The table has no verdict on ${kind}`);
  // The fence shows a member who does not teach no object, also of a course of their own.
  const isShown = isOwn && role !== 'student';
  if (isShown || row.foreign !== 'hidden' || (isNew && row.standsAlone === true)) return verdict;
  // The service refuses the role before it looks at anything.
  if (isNew && verdict === 'forbidden') return row.createBelow ?? verdict;
  return 'hidden';
}

/** Codes of refusals by the state of an object. */
const STATES = new Set(['invalid_state', 'resource_in_use']);

/** By the status of an item. */
const ITEMS: Readonly<Record<number, Verdict>> = { 200: 'allowed', 201: 'allowed', 403: 'forbidden', 404: 'hidden' };

type Call = Parameters<Subject['send']>[0];
interface Page {
  readonly page: { readonly has_more: boolean; readonly total_count: number };
  readonly data: readonly object[];
}

/** By the code of a refusal. A refusal by the state of an object comes after the fence. */
function refusal(code: string): Verdict | undefined {
  if (code === 'forbidden') return code;
  if (code === 'not_found') return 'hidden';
  return STATES.has(code) ? 'allowed' : undefined;
}

/** The verdict of the tool of an operation, whose dry run changes nothing. */
async function toolVerdict(operation: Operation, call: Call, { caller, id }: { caller: Caller; id: string }) {
  const { tool, write, kind } = operation;
  if (tool === undefined) return [];
  const args = await toolArguments(api, { ...operation, tool }, call);
  const reply = await api.tool(tool, { ...args, ...(write ? { dry_run: true } : {}) }, { caller });
  if (!reply.ok) return [refusal(reply.error.code) ?? JSON.stringify(reply.error)];
  return [kind === 'list' && !JSON.stringify(reply.result).includes(id) ? 'hidden' : 'allowed'];
}

/** A list with its total and its expansions. Other operations have no query. */
function queryOf(operation: Operation): string {
  const names = operation.described.parameters?.map(({ name }) => name) ?? [];
  if (operation.kind !== 'list' || !names.includes('include_total')) return '';
  const expand = expansionsOf(operation);
  return `?include_total=true${expand.length === 0 ? '' : `&expand=${expand.join(',')}`}`;
}

/** Requires that the total of a first page is the number of objects that the caller can see. */
function requireTotal(body: object): void {
  const { data, page } = body as Page;
  if (page.has_more) expect(page.total_count).toBeGreaterThan(data.length);
  else expect(page.total_count).toBe(data.length);
}

/** The verdicts on an operation by REST, by its tool, and on a read with the entity tag that an owner got. */
async function verdictsOn(subject: Subject, row: Row, operation: Operation, role: Role, isOwn: boolean) {
  api.sendAsOne(subject.cases.own === true);
  const made = operation.one || operation.kind === 'create' ? undefined : await subject.make();
  const call = await subject.call(operation);
  const path = made === undefined ? call.path : subject.pathOf(operation, made);
  const teacher = await newTeacher();
  const ids = idsIn([path, call.body, made?.id, made?.parent]);
  if (isOwn) await Promise.all([own(teacher, ids), hold(teacher, ids)]);
  // Members import and deploy own uploads.
  if (row.foreign !== 'private') await upload(teacher, ids);
  const isCreator = row.foreign === 'private' && isOwn;
  const caller = { roles: [role], ...(isCreator ? {} : { person_id: teacher.person_id }) };
  const byTool = await toolVerdict(operation, { ...call, path }, { caller, id: made?.id ?? '' });
  const query = queryOf(operation);
  const send = async (more: object = {}): Promise<string> => {
    const { status, body, text } = await subject.send({ ...call, path: `${path}${query}` }, { caller, ...more });
    const [item] = (body['results'] ?? []) as readonly { readonly status: number }[];
    if (item !== undefined) return ITEMS[item.status] ?? text;
    if (query !== '' && status === 200) requireTotal(body);
    const lists = operation.kind === 'list';
    if (status === 404 || (lists && status === 200 && !text.includes(made?.id ?? ''))) return 'hidden';
    if (status < 300 || status === 304) return 'allowed';
    return refusal(String(body['code'])) ?? `${status} ${text}`;
  };
  const verdicts = [...byTool, await send()];
  if (operation.kind !== 'get') return verdicts;
  const { headers } = await subject.send({ ...call, path });
  return [...verdicts, await send({ headers: { 'if-none-match': headers['etag'] ?? '*' } })];
}

it('finds a row for each collection', () => {
  expect(Object.keys(FENCE).toSorted()).toEqual(subjects.map(([name]) => name).toSorted());
});

describe.each(subjects)('%s', (name, subject) => {
  const row = FENCE[name];
  if (row === undefined) throw new Error(`${name} has no row`);
  const cells = subject.operations.flatMap((operation) =>
    ROLES.flatMap((role) =>
      // Nothing is own for a student, so one cell of the two suffices.
      (role === 'student' ? [true] : [true, false]).map(
        (isOwn) => [operation.name, role, isOwn ? 'own' : 'foreign', operation] as const,
      ),
    ),
  );
  it.each(cells)('gives %s by a %s of %s objects the verdict of the table', async (_name, role, whose, operation) => {
    const isOwn = whose === 'own';
    const verdicts = await verdictsOn(subject, row, operation, role, isOwn);
    expect(verdicts).toEqual(verdicts.map(() => expected(row, operation, role, isOwn)));
  });
});
