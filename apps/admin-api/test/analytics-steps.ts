import fc from 'fast-check';
import type { AnalyticsRows } from './analytics-rows.js';

const QUARTER_MS = 900_000;
const DAY_MS = 86_400_000;
/** The first day of the rows. Clocks change in autumn and in spring. */
export const FIRST_DAY = Date.UTC(2025, 9, 20);

/** At or just before a quarter of an hour, because days of time zones begin there. */
const instant = fc
  .tuple(fc.integer({ min: 0, max: 170 }), fc.integer({ min: 0, max: 95 }), fc.constantFrom(-1, 0, 1))
  .map(([day, quarter, ms]) => new Date(FIRST_DAY + day * DAY_MS + quarter * QUARTER_MS + ms));
const index = fc.nat({ max: 1_000 });
const part = fc.constantFrom(0.3, 0.5, 1);
const currency = fc.constantFrom('TWD', 'USD');
const amount = fc.constantFrom(0, 1, 999, 150_000, 1_000_000_007);
const registration = fc.constantFrom('registered', 'waitlisted', 'checked_in', 'no_show', 'canceled');

type Step = (rows: AnalyticsRows) => Promise<void> | undefined;
const at = (list: readonly unknown[], n: number): number => n % list.length;

/** A change of a random row, or none when such a row does not exist yet. */
const some = (list: (rows: AnalyticsRows) => readonly unknown[], change: (rows: AnalyticsRows, n: number) => unknown) =>
  index.map((n): Step => (rows) => {
    const known = list(rows);
    return known.length === 0 ? undefined : (change(rows, at(known, n)) as Promise<void>);
  });
/** Changes of the rows of a site, in an order that a school could have. */
export const steps = fc.array(
  fc.oneof(
    fc.tuple(fc.option(instant), currency, amount).map(
      (given): Step =>
        (rows) =>
          rows.order(...given),
    ),
    instant.chain((when) =>
      some(
        ({ orders }) => orders,
        (rows, n) => rows.pay(n, when),
      ),
    ),
    fc.tuple(part, instant).chain(([share, when]) =>
      some(
        ({ orders }) => orders,
        (rows, n) => rows.refund(n, share, when),
      ),
    ),
    fc.tuple(fc.nat({ max: 1 }), instant).map(
      (given): Step =>
        (rows) =>
          rows.enroll(...given),
    ),
    fc.tuple(instant, fc.option(instant), fc.boolean()).chain(([when, done, watches]) =>
      some(
        ({ enrollments }) => enrollments,
        (rows, n) => (watches ? rows.watch(n, when) : rows.complete(n, done)),
      ),
    ),
    fc.tuple(instant, fc.option(fc.nat({ max: 20 })), fc.nat({ max: 100 })).chain(([from, trial, days]) =>
      some(
        ({ prices }) => prices,
        (rows, n) =>
          rows.subscribe(n, from, trial === null ? null : later(from, trial), later(from, (trial ?? 0) + days)),
      ),
    ),
    fc.tuple(instant, fc.boolean()).chain(([when, renews]) =>
      some(
        ({ subscriptions }) => subscriptions,
        (rows, n) => (renews ? rows.renew(n, when) : rows.end(n, when)),
      ),
    ),
    some(
      ({ prices }) => prices,
      (rows, n) => rows.changePrice(n),
    ),
    fc.tuple(instant, fc.constantFrom('draft', 'published', 'ended', 'canceled')).map(
      (given): Step =>
        (rows) =>
          rows.event(...given),
    ),
    fc.tuple(instant, fc.boolean()).chain(([when, moves]) =>
      some(
        ({ events }) => events,
        (rows, n) => (moves ? rows.move(n, when) : rows.cancel(n, when)),
      ),
    ),
    registration.chain((state) =>
      some(
        ({ events }) => events,
        (rows, n) => rows.register(n, state),
      ),
    ),
    registration.chain((state) =>
      some(
        ({ registrations }) => registrations,
        (rows, n) => rows.attend(n, state),
      ),
    ),
  ),
  { minLength: 30, maxLength: 60 },
);
export const later = (instantOf: Date, days: number): Date => new Date(instantOf.getTime() + days * DAY_MS);

const on = (day: number): Date => later(new Date(FIRST_DAY), day);
/** Changes that leave no figure of days 14 to 73 at 0. */
export const EVERYTHING: readonly Step[] = [
  (rows) => rows.order(on(16), 'TWD', 150_000),
  (rows) => rows.order(null, 'USD', 999),
  (rows) => rows.pay(1, on(17)),
  (rows) => rows.refund(0, 0.5, on(18)),
  (rows) => rows.enroll(0, on(16)),
  (rows) => rows.watch(0, on(20)),
  (rows) => rows.complete(0, on(30)),
  (rows) => rows.subscribe(0, on(5), null, on(36)),
  (rows) => rows.subscribe(1, on(16), on(30), on(395)),
  (rows) => rows.end(0, on(32)),
  (rows) => rows.event(on(20), 'ended'),
  (rows) => rows.register(0, 'checked_in'),
  (rows) => rows.register(0, 'no_show'),
  (rows) => rows.register(0, 'waitlisted'),
  (rows) => rows.register(0, 'canceled'),
];
