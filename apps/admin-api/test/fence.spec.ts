import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { SITES } from '@lyceum/collections/conventions';
import type { Subject } from '@lyceum/collections/conventions';
import type { Role } from '@lyceum/contracts';
import { api, openApi, subjects } from './convention-service.js';

const ROLES = ['owner', 'admin', 'lecturer', 'teaching_assistant'] as const satisfies readonly Role[];

/** `hidden`: not_found, or left out of a list. */
type Verdict = 'allowed' | 'forbidden' | 'hidden';

interface Row {
  /** Reads of own objects, by a teacher with all scopes. */
  readonly read?: Verdict;
  readonly write?: Verdict;
  readonly create?: Verdict;
  /** A patch of the members that its case names, where they are not for teachers. */
  readonly patch?: Verdict;
  readonly delete?: Verdict;
  /** A creation below a foreign parent, where the service looks for the parent before the role. */
  readonly createBelow?: Verdict;
  /**
   * `same`: a teacher does with all objects of the site what the row says. `private`: callers of any role see what they
   * created, and nothing else.
   */
  readonly foreign: 'hidden' | 'same' | 'private';
  /** A creation names no other object, so no part of it is foreign. */
  readonly standsAlone?: boolean;
}

/** No fence and no role: auth gives a teacher no scope that opens the collection. */
const SCOPES_ALONE: Row = { read: 'allowed', write: 'allowed', create: 'allowed', foreign: 'same' };

/** The rights of a teacher. Owners and admins may do everything with every object. */
const FENCE: Readonly<Record<string, Row>> = {
  courses: { read: 'allowed', write: 'allowed', create: 'forbidden', foreign: 'hidden' },
  categories: { read: 'allowed', write: 'forbidden', create: 'forbidden', foreign: 'same' },
  'courses/plans': {
    read: 'allowed',
    write: 'forbidden',
    create: 'forbidden',
    createBelow: 'hidden',
    foreign: 'hidden',
  },
  course_plans: {
    read: 'allowed',
    write: 'forbidden',
    create: 'forbidden',
    createBelow: 'hidden',
    foreign: 'hidden',
  },
  'courses/curriculum': { read: 'allowed', write: 'allowed', foreign: 'hidden' },
  sections: { read: 'allowed', write: 'allowed', create: 'allowed', foreign: 'hidden' },
  lectures: { read: 'allowed', write: 'allowed', create: 'allowed', foreign: 'hidden' },
  students: { read: 'allowed', write: 'allowed', create: 'forbidden', delete: 'forbidden', foreign: 'hidden' },
  'students/enrollments': { read: 'allowed', write: 'allowed', create: 'forbidden', foreign: 'hidden' },
  'courses/reviews': { read: 'allowed', foreign: 'hidden' },
  comments: { read: 'allowed', foreign: 'hidden' },
  'comments/replies': { read: 'allowed', foreign: 'hidden' },
  'courses/enrollments': { read: 'allowed', foreign: 'hidden' },
  'students/progress': { read: 'allowed', write: 'allowed', create: 'allowed', foreign: 'hidden' },
  enrollments: { read: 'allowed', write: 'allowed', create: 'forbidden', foreign: 'hidden' },
  lecturers: { read: 'allowed', write: 'allowed', create: 'forbidden', delete: 'forbidden', foreign: 'hidden' },
  'lecturers/courses': { read: 'allowed', foreign: 'hidden' },
  school: { read: 'allowed', write: 'forbidden', foreign: 'same' },
  activity: { read: 'forbidden', foreign: 'same' },
  members: { read: 'forbidden', write: 'forbidden', create: 'forbidden', foreign: 'same' },
  coupons: { read: 'forbidden', write: 'forbidden', create: 'forbidden', foreign: 'same' },
  'coupons/redemptions': { read: 'forbidden', foreign: 'same' },
  orders: { read: 'forbidden', foreign: 'same' },
  'members/purchases': { read: 'forbidden', foreign: 'same' },
  events: { read: 'forbidden', write: 'forbidden', create: 'forbidden', foreign: 'same' },
  'events/tickets': { read: 'forbidden', write: 'forbidden', create: 'forbidden', foreign: 'same' },
  'events/registrations': { read: 'forbidden', write: 'forbidden', create: 'forbidden', foreign: 'same' },
  consulting_services: {
    read: 'allowed',
    write: 'allowed',
    create: 'forbidden',
    patch: 'forbidden',
    delete: 'forbidden',
    foreign: 'hidden',
  },
  // A new slot of the case has no lecturer, and a teacher makes own slots only.
  'consulting_services/slots': {
    read: 'allowed',
    write: 'allowed',
    create: 'forbidden',
    createBelow: 'hidden',
    foreign: 'hidden',
  },
  'consulting_services/purchases': {
    read: 'allowed',
    write: 'forbidden',
    create: 'forbidden',
    createBelow: 'hidden',
    foreign: 'hidden',
  },
  'slots/bookings': { read: 'allowed', write: 'allowed', create: 'allowed', foreign: 'hidden' },
  exports: { read: 'allowed', write: 'allowed', create: 'allowed', foreign: 'hidden', standsAlone: true },
  forms: { read: 'forbidden', foreign: 'same' },
  'forms/submissions': { read: 'forbidden', foreign: 'same' },
  imports: { read: 'hidden', write: 'hidden', create: 'forbidden', foreign: 'same' },
  subscriptions: { read: 'forbidden', write: 'forbidden', create: 'forbidden', foreign: 'same' },
  uploads: { read: 'allowed', write: 'allowed', create: 'allowed', foreign: 'private' },
  digital_products: { read: 'forbidden', write: 'forbidden', create: 'forbidden', foreign: 'same' },
  'digital_products/purchases': { read: 'forbidden', write: 'forbidden', create: 'forbidden', foreign: 'same' },
  membership_plans: { read: 'forbidden', write: 'forbidden', create: 'forbidden', foreign: 'same' },
  webhook_endpoints: { read: 'forbidden', write: 'forbidden', create: 'forbidden', foreign: 'same' },
  webhook_deliveries: { read: 'forbidden', write: 'forbidden', create: 'forbidden', foreign: 'same' },
  posts: { read: 'forbidden', write: 'forbidden', create: 'forbidden', foreign: 'same' },
  announcements: { read: 'forbidden', write: 'forbidden', create: 'forbidden', foreign: 'same' },
  pages: { read: 'forbidden', write: 'forbidden', create: 'forbidden', foreign: 'same' },
  'pages/deployments': { read: 'forbidden', write: 'forbidden', create: 'forbidden', foreign: 'same' },
  course_reviews: { read: 'allowed', foreign: 'hidden' },
  coupon_redemptions: { read: 'forbidden', foreign: 'same' },
  // At paths without a parent, where a creation names it.
  slots: { read: 'allowed', write: 'allowed', create: 'forbidden', createBelow: 'hidden', foreign: 'hidden' },
  consulting_purchases: {
    read: 'allowed',
    write: 'forbidden',
    create: 'forbidden',
    createBelow: 'hidden',
    foreign: 'hidden',
  },
  consulting_bookings: { read: 'allowed', write: 'allowed', create: 'allowed', foreign: 'hidden' },
  digital_product_purchases: { read: 'forbidden', write: 'forbidden', create: 'forbidden', foreign: 'same' },
  event_registrations: { read: 'forbidden', write: 'forbidden', create: 'forbidden', foreign: 'same' },
  event_tickets: { read: 'forbidden', write: 'forbidden', create: 'forbidden', foreign: 'same' },
  form_submissions: { read: 'forbidden', foreign: 'same' },
  page_deployments: { read: 'forbidden', write: 'forbidden', create: 'forbidden', foreign: 'same' },
  progress: { read: 'allowed', create: 'allowed', foreign: 'hidden' },
  appearance: SCOPES_ALONE,
  'appearance/revisions': SCOPES_ALONE,
};

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
  if (isOwn || row.foreign !== 'hidden' || (isNew && row.standsAlone === true)) return verdict;
  // The service refuses the role before it looks at anything.
  if (isNew && verdict === 'forbidden') return row.createBelow ?? verdict;
  return 'hidden';
}

/** Codes of refusals by the state of an object. */
const STATES = new Set(['invalid_state', 'resource_in_use']);

/** By the status of an item. */
const ITEMS: Readonly<Record<number, Verdict>> = { 200: 'allowed', 201: 'allowed', 403: 'forbidden', 404: 'hidden' };

async function verdictOn(subject: Subject, row: Row, operation: Operation, role: Role, isOwn: boolean) {
  api.sendAsOne(row.foreign === 'private');
  const made = operation.one || operation.kind === 'create' ? undefined : await subject.make();
  const call = await subject.call(operation);
  const path = made === undefined ? call.path : subject.pathOf(operation, made);
  const teacher = await newTeacher();
  const ids = idsIn([path, call.body, made?.id, made?.parent]);
  if (isOwn) await Promise.all([own(teacher, ids), hold(teacher, ids)]);
  const isCreator = row.foreign === 'private' && isOwn;
  const caller = { roles: [role], ...(isCreator ? {} : { person_id: teacher.person_id }) };
  const { status, body, text } = await subject.send({ ...call, path }, { caller });
  const [item] = (body['results'] ?? []) as readonly { readonly status: number }[];
  if (item !== undefined) return ITEMS[item.status] ?? text;
  const lists = operation.kind === 'list' || operation.kind === 'export';
  if (status === 404 || (lists && status === 200 && !text.includes(made?.id ?? ''))) return 'hidden';
  if (status === 403 && body['code'] === 'forbidden') return 'forbidden';
  // A refusal by the state of an object comes after the fence.
  return status < 300 || STATES.has(String(body['code'])) ? 'allowed' : `${status} ${text}`;
}

it('finds a row for each collection', () => {
  expect(Object.keys(FENCE).toSorted()).toEqual(subjects.map(([name]) => name).toSorted());
});

describe.each(subjects)('%s', (name, subject) => {
  const row = FENCE[name];
  if (row === undefined) throw new Error(`${name} has no row`);
  const cells = subject.operations.flatMap((operation) =>
    ROLES.flatMap((role) =>
      [true, false].map((isOwn) => [operation.name, role, isOwn ? 'own' : 'foreign', operation] as const),
    ),
  );
  it.each(cells)('gives %s by a %s of %s objects the verdict of the table', async (_name, role, whose, operation) => {
    const isOwn = whose === 'own';
    expect(await verdictOn(subject, row, operation, role, isOwn)).toBe(expected(row, operation, role, isOwn));
  });
});
