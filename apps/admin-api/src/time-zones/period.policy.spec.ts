import fc from 'fast-check';
import { daysAfter, periodAt, periodEnd } from './period.policy.js';
import type { Schedule } from './period.policy.js';

const monthly = (anchor: string, interval_count = 1): Schedule => ({
  anchor_at: new Date(anchor),
  interval: 'month',
  interval_count,
});
const ends = (schedule: Schedule, timeZone: string, ...periods: readonly number[]): string[] =>
  periods.map((period) => periodEnd(schedule, period, timeZone).toISOString());

it.each([
  ['the day of the anchor after a shorter month', '2027-01-31', 1, ['2027-02-28', '2027-03-31', '2027-04-30']],
  ['the leap day', '2028-01-31', 1, ['2028-02-29', '2028-03-31', '2028-04-30']],
  ['a day that each month has', '2027-12-15', 1, ['2028-01-15', '2028-02-15', '2028-03-15']],
  ['steps of three months', '2027-11-30', 3, ['2028-02-29', '2028-05-30', '2028-08-30']],
])('keeps %s', (_what, anchor, count, expected) => {
  const schedule = monthly(`${anchor}T08:30:00.000Z`, count);
  expect(ends(schedule, 'UTC', 1, 2, 3)).toEqual(expected.map((day) => `${day}T08:30:00.000Z`));
});

it('ends a year that begins on a leap day on February 28, and on the leap day four years later', () => {
  const schedule = { anchor_at: new Date('2028-02-29T00:00:00Z'), interval: 'year', interval_count: 1 } as const;
  expect(ends(schedule, 'UTC', 1, 4)).toEqual(['2029-02-28T00:00:00.000Z', '2032-02-29T00:00:00.000Z']);
});

it('counts months by the calendar of the time zone', () => {
  // February 1 in Taipei, and January 31 in UTC.
  const schedule = monthly('2027-01-31T17:00:00.000Z');
  expect(ends(schedule, 'Asia/Taipei', 1)).toEqual(['2027-02-28T17:00:00.000Z']);
  expect(ends(schedule, 'UTC', 1, 2)).toEqual(['2027-02-28T17:00:00.000Z', '2027-03-31T17:00:00.000Z']);
  expect(ends(schedule, 'Asia/Taipei', 2)).toEqual(['2027-03-31T17:00:00.000Z']);
});

it('keeps the time of day when the clocks change', () => {
  const schedule = monthly('2027-03-10T11:00:00.000Z');
  // 12:00 in Berlin before and after March 28, 2027.
  expect(ends(schedule, 'Europe/Berlin', 1)).toEqual(['2027-04-10T10:00:00.000Z']);
  const days = { anchor_at: new Date('2027-03-27T11:00:00.000Z'), interval: 'day', interval_count: 1 } as const;
  expect(ends(days, 'Europe/Berlin', 1)).toEqual(['2027-03-28T10:00:00.000Z']);
});

it('moves a skipped time an hour later, once, and takes the first of a repeated one', () => {
  const skipped = monthly('2027-02-28T01:30:00.000Z');
  // 02:30 in Berlin; March 28, 2027 has no such time.
  expect(ends(skipped, 'Europe/Berlin', 1, 2)).toEqual(['2027-03-28T01:30:00.000Z', '2027-04-28T00:30:00.000Z']);
  // 02:30 occurs twice on October 31, 2027.
  expect(ends(monthly('2027-09-30T00:30:00.000Z'), 'Europe/Berlin', 1)).toEqual(['2027-10-30T00:30:00.000Z']);
  expect(ends(monthly('2027-08-31T00:30:00.000Z'), 'Europe/Berlin', 2)).toEqual(['2027-10-31T00:30:00.000Z']);
});

it('adds days at the same local time', () => {
  expect(daysAfter(new Date('2027-03-20T11:00:00Z'), 14, 'Europe/Berlin').toISOString()).toBe(
    '2027-04-03T10:00:00.000Z',
  );
});

it('ends no period after the year 9999', () => {
  expect(periodEnd(monthly('9999-12-20T00:00:00Z'), 1, 'UTC').toISOString()).toBe('9999-12-31T23:59:59.999Z');
});

describe('properties', () => {
  const zones = fc.constantFrom('UTC', 'Asia/Taipei', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe');
  const instants = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
  const schedules = fc.record({
    anchor_at: instants,
    interval: fc.constantFrom('day', 'week', 'month', 'year'),
    interval_count: fc.integer({ min: 1, max: 36 }),
  });
  const numbers = fc.integer({ min: -40, max: 40 });
  const dateIn = (timeZone: string, instant: Date): { year: number; month: number; day: number } => {
    const text = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(instant);
    const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
    return { year, month, day };
  };

  it('ends each period after the one before', () => {
    fc.assert(
      fc.property(schedules, numbers, zones, (schedule, period, zone) => {
        expect(periodEnd(schedule, period + 1, zone).getTime()).toBeGreaterThan(
          periodEnd(schedule, period, zone).getTime(),
        );
      }),
    );
  });

  it('keeps the day of the anchor in months, or takes the last day', () => {
    fc.assert(
      fc.property(
        instants,
        fc.integer({ min: 1, max: 36 }),
        numbers,
        zones,
        (anchor_at, interval_count, period, zone) => {
          const schedule = { anchor_at, interval: 'month', interval_count } as const;
          const from = dateIn(zone, anchor_at);
          const to = dateIn(zone, periodEnd(schedule, period, zone));
          const last = new Date(Date.UTC(to.year, to.month, 0)).getUTCDate();
          expect([to.day, to.year * 12 + to.month]).toEqual([
            Math.min(from.day, last),
            from.year * 12 + from.month + interval_count * period,
          ]);
        },
      ),
    );
  });

  it('finds the period that contains an instant', () => {
    fc.assert(
      fc.property(schedules, fc.integer({ min: 0, max: 1_000 }), zones, (schedule, steps, zone) => {
        const instant = new Date(schedule.anchor_at.getTime() + steps * 50_000_000);
        const period = periodAt(schedule, instant, zone);
        expect(periodEnd(schedule, period, zone).getTime()).toBeGreaterThan(instant.getTime());
        expect(periodEnd(schedule, period - 1, zone).getTime()).toBeLessThanOrEqual(instant.getTime());
      }),
      { numRuns: 30 },
    );
  });
});
