import { enrolledByHand } from './enroll.policy.js';
import type { EnrollFacts, EnrollRequest } from './enroll.policy.js';
import type { Grant } from './access.policy.js';

const NOW = new Date('2026-11-20T08:00:00.000Z');
const [EARLIER, LATER] = [new Date('2026-11-01T00:00:00.000Z'), new Date('2027-01-01T00:00:00.000Z')];
const PLAN = '019ab3c0-cd80-7f90-8b2c-3d4e5f607182';
const TERMS = {
  plan_type: 'specific_length',
  interval: null,
  interval_count: null,
  access_days: 10,
  access_ends_at: null,
  time_zone: 'UTC',
} as const;
const FACTS: EnrollFacts = { student: 'active', course: 'published', plan: undefined, grants: [] };
const REQUEST: EnrollRequest = { plan_id: null, source: 'manual' };

const grant = (of: Partial<Grant>): Grant => ({
  id: 'a',
  source: 'manual',
  source_id: null,
  plan_id: null,
  starts_at: EARLIER,
  ends_at: null,
  revoked_at: null,
  ...of,
});

const enroll = (request: Partial<EnrollRequest> = {}, facts: Partial<EnrollFacts> = {}): readonly Grant[] =>
  enrolledByHand({ ...REQUEST, ...request }, { ...FACTS, ...facts }, NOW);

it.each([
  ['for life', {}, {}, null],
  ['until the given end', { expires_at: LATER }, {}, LATER],
  ['for the length of the plan', { plan_id: PLAN }, { plan: TERMS }, new Date('2026-11-30T08:00:00.000Z')],
  ['until the given end, despite the plan', { plan_id: PLAN, expires_at: LATER }, { plan: TERMS }, LATER],
  ['for life, despite the plan', { plan_id: PLAN, expires_at: null }, { plan: TERMS }, null],
] as const)('gives access %s', (_how, request, facts, ends_at) => {
  const plan_id = 'plan_id' in request ? request.plan_id : null;
  expect(enroll(request, facts)).toEqual([grant({ id: null, plan_id, starts_at: NOW, ends_at })]);
});

it.each([
  ['free', 'manual'],
  ['import', 'import'],
] as const)('records the source %s as a grant of the source %s', (source, recorded) => {
  expect(enroll({ source })).toMatchObject([{ source: recorded, source_id: null }]);
});

const BY_PLAN = new Date(EARLIER.getTime() + 30 * 86_400_000);
const LONG = { ...TERMS, access_days: 30 };

it.each([
  ['for life', {}, { grants: [grant({})] }],
  ['for life as given', { expires_at: null }, { grants: [grant({})] }],
  ['until an end', { expires_at: LATER }, { grants: [grant({ ends_at: LATER })] }],
  ['by a plan', { plan_id: PLAN }, { plan: LONG, grants: [grant({ plan_id: PLAN, ends_at: BY_PLAN })] }],
  ['beside others', {}, { grants: [grant({ source: 'order', source_id: 'b', ends_at: LATER }), grant({})] }],
] as const)('keeps access by hand on the same terms: %s, also in an archived course', (_how, request, facts) => {
  expect(enroll(request, { ...facts, course: 'published' })).toBe(facts.grants);
  if (!('plan_id' in request)) expect(enroll(request, { ...facts, course: 'archived' })).toBe(facts.grants);
});

it('keeps access by a plan whose days 0.1.0 counted in UTC, across a change of the clock', () => {
  const [plan, starts_at] = [{ ...TERMS, time_zone: 'Europe/Berlin' }, new Date('2026-10-24T08:00:00.000Z')];
  const [utc, local] = [new Date('2026-11-23T08:00:00.000Z'), new Date('2026-11-23T09:00:00.000Z')];
  for (const ends_at of [utc, local]) {
    const grants = [grant({ plan_id: PLAN, starts_at, ends_at })];
    expect(enroll({ plan_id: PLAN }, { plan: { ...plan, access_days: 30 }, grants })).toBe(grants);
  }
});

it.each([
  ['an end instead of for life', { expires_at: LATER }, grant({})],
  ['for life instead of an end', {}, grant({ ends_at: LATER })],
  ['another end', { expires_at: new Date(LATER.getTime() + 1) }, grant({ ends_at: LATER })],
  ['a plan instead of none', { plan_id: PLAN }, grant({ ends_at: BY_PLAN })],
  ['no plan instead of one', { expires_at: LATER }, grant({ plan_id: PLAN, ends_at: LATER })],
  ['another plan', { plan_id: PLAN }, grant({ plan_id: 'b', ends_at: BY_PLAN })],
  ['the end of a plan instead of for life', { plan_id: PLAN }, grant({ plan_id: PLAN })],
] as const)('refuses other terms than those of access by hand: %s', (_how, request, known) => {
  const errors = [expect.objectContaining({ pointer: '/course_id', code: 'already_exists', id: 'e' })];
  expect(() => enroll(request, { plan: LONG, grants: [known], enrollment_id: 'e' })).toThrow(
    expect.objectContaining({ code: 'already_exists', errors }),
  );
});

it.each([
  ['by an order', grant({ source: 'order', source_id: 'b' })],
  ['that has ended', grant({ ends_at: EARLIER })],
  ['that was revoked', grant({ revoked_at: EARLIER })],
])('adds a grant to access %s', (_which, known) => {
  expect(enroll({}, { grants: [known] })).toEqual([known, expect.objectContaining({ id: null, starts_at: NOW })]);
});

it.each([
  ['an end that has passed', { expires_at: NOW }, {}, 'validation_failed', '/expires_at'],
  ['an unknown student', {}, { student: undefined }, 'not_found', undefined],
  ['a removed student', {}, { student: 'removed' }, 'invalid_state', undefined],
  ['an unknown course', {}, { course: undefined }, 'validation_failed', '/course_id'],
  ['an archived course', {}, { course: 'archived' }, 'invalid_state', undefined],
  ['an unknown plan', { plan_id: PLAN }, {}, 'validation_failed', '/plan_id'],
  ['a plan of an archived course', { plan_id: PLAN }, { plan: TERMS, course: 'archived' }, 'invalid_state', undefined],
  [
    'a plan whose access has ended',
    { plan_id: PLAN },
    { plan: { ...TERMS, plan_type: 'fixed_date', access_ends_at: EARLIER } },
    'validation_failed',
    '/plan_id',
  ],
] as const)('refuses %s', (_what, request, facts, code, pointer) => {
  const errors = pointer === undefined ? [] : [expect.objectContaining({ pointer })];
  expect(() => enroll(request, facts)).toThrow(expect.objectContaining({ code, errors }));
});
