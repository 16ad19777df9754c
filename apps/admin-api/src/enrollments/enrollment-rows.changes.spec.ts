import { decideEnrollment } from './enrollment-rows.changes.js';
import type { EnrollmentFacts, NamedRow } from './enrollment-rows.changes.js';
import { grantsJson } from './enrollment.entity.js';
import type { Enrollment } from './enrollment.entity.js';
import type { Grant } from './access.policy.js';
import type { Place } from './enrollment.repository.js';

const NOW = new Date('2026-11-20T08:00:00.000Z');
const [EARLIER, LATER] = [new Date('2026-11-01T00:00:00.000Z'), new Date('2027-01-01T00:00:00.000Z')];
const PAIR = { student_id: 's', course_id: 'c' };
const ROW: NamedRow = { student_email: 'mei@example.com', course_slug: 'ink' };

const known = (change: Partial<Enrollment> = {}, grant: Partial<Grant> = {}): Enrollment => {
  const given = { id: 'g', source: 'manual', source_id: null, plan_id: null, starts_at: EARLIER } as const;
  return {
    ...PAIR,
    id: 'e',
    state: 'active',
    source: 'manual',
    started_at: EARLIER,
    expires_at: null,
    changes_at: null,
    external_id: 'x',
    metadata: { a: '1' },
    grants: grantsJson([{ ...given, ends_at: null, revoked_at: null, ...grant }]),
    ...change,
  } as Enrollment;
};

const facts = (row?: Enrollment, change: Partial<EnrollmentFacts> = {}): EnrollmentFacts => ({
  place: { ...PAIR, course: 'published', row },
  keyed: undefined,
  ...PAIR,
  students: new Map([['s', 'active']]),
  plan: undefined,
  ...change,
});
const archived = (row?: Enrollment): Place => ({ ...PAIR, course: 'archived', row });

it('enrolls by the values of the row, with the source import', () => {
  const row = { ...ROW, expires_at: LATER.toISOString(), external_id: 'y', metadata: { b: '2' } };
  expect(decideEnrollment(row, facts(), 'create_only', NOW)).toMatchObject({
    kind: 'created',
    values: {
      ...PAIR,
      source: 'import',
      decided: [{ source: 'import', starts_at: NOW, ends_at: LATER }],
      own: { external_id: 'y', metadata: { b: '2' } },
    },
  });
});

it.each<[string, NamedRow, Partial<EnrollmentFacts>, string, string]>([
  ['an unknown student', ROW, { place: undefined, student_id: undefined }, '/student_email', 'not_found'],
  ['an unknown course', ROW, { place: undefined, course_id: undefined }, '/course_slug', 'not_found'],
  ['a deleted course', ROW, { place: { ...PAIR, course: undefined, row: undefined } }, '/course_slug', 'not_found'],
  ['an archived course', ROW, { place: archived() }, '/course_slug', 'invalid_state'],
  ['a removed student', ROW, { students: new Map([['s', 'removed']]) }, '/student_email', 'invalid_state'],
  ['an unknown plan', { ...ROW, plan_id: 'p' }, {}, '/plan_id', 'not_found'],
  ['an end that is over', { ...ROW, expires_at: EARLIER.toISOString() }, {}, '/expires_at', 'too_small'],
  [
    'the external id of another one',
    { ...ROW, external_id: 'x' },
    { keyed: { student_id: 't', course_id: 'c', course: 'published', row: known({ id: 'f' }) } },
    '/external_id',
    'already_exists',
  ],
  ['an enrollment that exists', ROW, { place: facts(known()).place }, '/student_email', 'already_exists'],
])('refuses %s', (_what, row, change, pointer, code) => {
  const decision = decideEnrollment(row, facts(undefined, change), 'create_only', NOW);
  expect(decision).toMatchObject({ kind: 'refused', refusal: { pointer, code } });
});

it('changes the end and the data that the row names', () => {
  const row = { ...ROW, expires_at: LATER.toISOString(), metadata: { b: '2' } };
  expect(decideEnrollment(row, facts(known()), 'upsert_by_student_and_course', NOW)).toMatchObject({
    kind: 'updated',
    changes: {
      moves: true,
      decided: [{ id: 'g', ends_at: LATER }],
      own: { external_id: 'x', metadata: { a: '1', b: '2' } },
    },
  });
  const noted = decideEnrollment({ ...ROW, external_id: 'z' }, facts(known()), 'update_by_student_and_course', NOW);
  expect(noted).toMatchObject({ kind: 'updated', changes: { moves: false, own: { external_id: 'z' } } });
});

it.each<[string, NamedRow, Enrollment]>([
  ['only its key', ROW, known()],
  ['the same values', { ...ROW, expires_at: null, external_id: 'x', metadata: { a: '1' } }, known()],
  ['the same plan', { ...ROW, plan_id: 'p' }, known({}, { plan_id: 'p' })],
  ['no end, where access has expired', ROW, known({ state: 'expired', expires_at: EARLIER }, { ends_at: EARLIER })],
])('skips a row that names %s', (_what, row, found) => {
  expect(decideEnrollment(row, facts(found), 'upsert_by_student_and_course', NOW)).toMatchObject({ kind: 'skipped' });
});

it.each<[string, NamedRow, Enrollment, Partial<EnrollmentFacts>, string, string]>([
  ['another plan', { ...ROW, plan_id: 'q' }, known({}, { plan_id: 'p' }), {}, '/plan_id', 'not_changeable'],
  [
    'the end of revoked access',
    { ...ROW, expires_at: LATER.toISOString() },
    known({ state: 'revoked' }, { revoked_at: EARLIER }),
    {},
    '/expires_at',
    'invalid_state',
  ],
  ['an end that is over', { ...ROW, expires_at: EARLIER.toISOString() }, known(), {}, '/expires_at', 'too_small'],
  [
    'the end of a removed student',
    { ...ROW, expires_at: LATER.toISOString() },
    known(),
    { students: new Map([['s', 'removed']]) },
    '/student_email',
    'invalid_state',
  ],
  [
    'an expired enrollment in an archived course',
    { ...ROW, expires_at: LATER.toISOString() },
    known({ state: 'expired', expires_at: EARLIER }, { ends_at: EARLIER }),
    { place: archived(known({ state: 'expired', expires_at: EARLIER }, { ends_at: EARLIER })) },
    '/course_slug',
    'invalid_state',
  ],
])('refuses to change %s', (_what, row, found, change, pointer, code) => {
  const decision = decideEnrollment(row, facts(found, change), 'upsert_by_student_and_course', NOW);
  expect(decision).toMatchObject({ kind: 'refused', refusal: { pointer, code } });
});

it('finds an enrollment by its external id, and moves it to no other student or course', () => {
  const keyed = { ...PAIR, course: 'published', row: known() } as const;
  const byId = (row: NamedRow, change: Partial<EnrollmentFacts> = {}) =>
    decideEnrollment(row, facts(undefined, { place: undefined, keyed, ...change }), 'update_by_external_id', NOW);
  const alone = { student_id: undefined, course_id: undefined };
  expect(byId({ external_id: 'x', metadata: { b: '2' } }, alone)).toMatchObject({
    kind: 'updated',
    found: { id: 'e' },
  });
  expect(byId({ external_id: 'y' }, { ...alone, keyed: undefined })).toMatchObject({
    refusal: { pointer: '/external_id', code: 'not_found' },
  });
  const other = { student_id: 't', students: new Map([['t', 'active'] as const]) };
  expect(byId({ ...ROW, external_id: 'x' }, other)).toMatchObject({
    refusal: { pointer: '/student_email', code: 'not_changeable' },
  });
  expect(byId({ ...ROW, external_id: 'x' }, { course_id: 'd' })).toMatchObject({
    refusal: { pointer: '/course_slug', code: 'not_changeable' },
  });
});
