import { COURSE_PLAN_TYPES } from '@lyceum/contracts';
import { accessEndOf, requireForSale, requirePlanOfCourse, requireTerms } from './course-plan.policy.js';
import type { CoursePlanType, PlanTerms } from './course-plan.policy.js';

const NONE = { price: null, interval: null, interval_count: null, access_days: null, access_ends_at: null };
const FULL = {
  price: { amount_minor: 100, currency: 'TWD' },
  interval: 'month',
  interval_count: 1,
  access_days: 30,
  access_ends_at: new Date('2027-01-01T00:00:00Z'),
} as const;
type Term = keyof typeof FULL;

const NEEDED: Record<CoursePlanType, Term[]> = {
  free: [],
  one_time_purchase: ['price'],
  subscription: ['price', 'interval', 'interval_count'],
  pre_order: ['price'],
  group_buy: ['price'],
  fixed_date: ['price', 'access_ends_at'],
  specific_length: ['price', 'access_days'],
};

const planOf = (plan_type: CoursePlanType, terms: readonly Term[] = NEEDED[plan_type]): PlanTerms => ({
  plan_type,
  ...NONE,
  ...Object.fromEntries(terms.map((term) => [term, FULL[term]])),
});

const refusal = (...pointers: string[]) =>
  expect.objectContaining({
    code: 'validation_failed',
    errors: pointers.map((pointer) => expect.objectContaining({ pointer })),
  });

it.each(COURSE_PLAN_TYPES)('accepts a %s plan with the members of its type', (plan_type) => {
  expect(() => requireTerms(planOf(plan_type), 'TWD')).not.toThrow();
  expect(() => requireTerms(planOf(plan_type), null)).not.toThrow();
});

it.each(COURSE_PLAN_TYPES.flatMap((type) => (Object.keys(FULL) as Term[]).map((term) => [type, term] as const)))(
  'refuses a %s plan with %s when its type has none, or without it when its type needs it',
  (plan_type, term) => {
    const needed = NEEDED[plan_type];
    const terms = needed.includes(term) ? needed.filter((one) => one !== term) : [...needed, term];
    expect(() => requireTerms(planOf(plan_type, terms), null)).toThrow(refusal(`/${term}`));
  },
);

it('names each member that does not fit', () => {
  expect(() => requireTerms(planOf('subscription', ['access_days']), null)).toThrow(
    refusal('/price', '/interval', '/interval_count', '/access_days'),
  );
});

it.each([
  [{ amount_minor: 0, currency: 'TWD' }, '/price/amount_minor'],
  [{ amount_minor: 100, currency: 'EUR' }, '/price/currency'],
])('refuses the price %j at %s', (price, pointer) => {
  expect(() => requireTerms({ ...planOf('one_time_purchase'), price }, 'TWD')).toThrow(refusal(pointer));
});

it('accepts any currency while the school has none', () => {
  const price = { amount_minor: 100, currency: 'EUR' };
  expect(() => requireTerms({ ...planOf('one_time_purchase'), price }, null)).not.toThrow();
});

it.each<[CoursePlanType, Partial<PlanTerms>, string, string | null]>([
  ['free', {}, '2026-11-20', null],
  ['one_time_purchase', {}, '2026-11-20', null],
  ['pre_order', {}, '2026-11-20', null],
  ['group_buy', {}, '2026-11-20', null],
  ['fixed_date', {}, '2026-11-20', '2027-01-01'],
  ['specific_length', {}, '2026-11-20', '2026-12-20'],
  ['specific_length', { access_days: 365 }, '2026-11-20', '2027-11-20'],
  ['subscription', {}, '2026-11-20', '2026-12-20'],
  ['subscription', { interval_count: 3 }, '2026-11-30', '2027-02-28'],
  ['subscription', { interval: 'year' }, '2028-02-29', '2029-02-28'],
])('ends access by a %s plan %j from %s at %s', (plan_type, terms, start, end) => {
  const at = (day: string): Date => new Date(`${day}T10:30:00Z`);
  const found = accessEndOf({ ...planOf(plan_type), ...terms, time_zone: 'UTC' }, at(start));
  expect(found?.toISOString().slice(0, 10) ?? null).toBe(end);
});

it.each<[CoursePlanType, Partial<PlanTerms>, string, string, string]>([
  ['subscription', {}, 'Asia/Taipei', '2027-02-28T17:00:00.000Z', '2027-03-31T17:00:00.000Z'],
  ['subscription', { interval: 'year' }, 'Asia/Taipei', '2028-02-28T17:00:00.000Z', '2029-02-27T17:00:00.000Z'],
  ['subscription', {}, 'America/New_York', '2027-03-01T03:00:00.000Z', '2027-03-29T02:00:00.000Z'],
  ['specific_length', { access_days: 1 }, 'Europe/Berlin', '2027-03-27T10:30:00.000Z', '2027-03-28T09:30:00.000Z'],
])('ends access by a %s plan %j on the calendar of %s: from %s at %s', (plan_type, terms, time_zone, start, end) => {
  const found = accessEndOf({ ...planOf(plan_type), ...terms, time_zone }, new Date(start));
  expect(found?.toISOString()).toBe(end);
});

it.each([
  ['one_time_purchase', true, false, '2027-01-01', undefined],
  ['one_time_purchase', false, false, '2027-01-01', 'The plan is not active'],
  ['one_time_purchase', false, true, '2027-01-01', undefined],
  ['fixed_date', true, false, '2026-12-31', undefined],
  ['fixed_date', true, false, '2027-01-01', 'The access of the plan has ended'],
  ['fixed_date', true, true, '2027-01-01', 'The access of the plan has ended'],
] as const)('sells a plan (%s, active %p, ordered before its payment %p) on %s or refuses: %p', (...given) => {
  const [plan_type, active, wasPending, day, detail] = given;
  const plan = { ...planOf(plan_type), active, time_zone: 'UTC' };
  const sell = (): void => requireForSale(plan, new Date(`${day}T00:00:00Z`), wasPending);
  if (detail === undefined) return expect(sell).not.toThrow();
  const errors = [{ pointer: '/item_id', code: 'not_for_sale', detail }];
  return expect(sell).toThrow(expect.objectContaining({ code: 'invalid_state', errors }));
});

it('refuses an external id that a plan of another course has', () => {
  expect(() => requirePlanOfCourse({ course_id: 'a' }, 'a')).not.toThrow();
  expect(() => requirePlanOfCourse({ course_id: 'a' }, 'b')).toThrow(
    expect.objectContaining({ code: 'already_exists' }),
  );
});
