import { DemoDay } from './demo-day.js';
import { wholeDemo } from './demo-whole.js';
import { type DemoSite, demoDefinition } from './demo.js';

const DAY_MS = 86_400_000;
/** The time zone of the schools is eight hours ahead of UTC. */
const AHEAD_MS = 8 * 3_600_000;

/** Each day of two years, one with a 29th of February. */
const DAYS = Array.from({ length: 365 + 366 }, (_, index) => Date.UTC(2027, 0, 1 + index));
const DEMOS = { small: demoDefinition, whole: wholeDemo } as const;

/** Days of the school from an instant to the other; 0 on the same day. */
function daysBetween(at: string, now: number): number {
  const dayOf = (instant: number): number => Math.floor((instant + AHEAD_MS) / DAY_MS);
  return dayOf(now) - dayOf(new Date(at).getTime());
}

interface Instants {
  readonly past: Readonly<Record<'sales' | 'refunds' | 'starts' | 'progress', readonly string[]>>;
  readonly future: readonly string[];
}

function instantsOf({ orders, events, progress, consulting }: DemoSite): Instants {
  const times = events.map(({ event }) => event as { readonly starts_at: string; readonly ends_at: string });
  const [next, ...begun] = times;
  return {
    past: {
      sales: orders.flatMap(({ paid_at }) => paid_at ?? []),
      refunds: orders.flatMap(({ refund }) => refund?.refunded_at ?? []),
      starts: begun.map(({ starts_at }) => starts_at),
      progress: progress.map(({ occurred_at }) => occurred_at),
    },
    future: [next!.starts_at, ...times.map(({ ends_at }) => ends_at), ...consulting.map(({ slot }) => slot.starts_at)],
  };
}

/** The faults of the demos of all days, seen at the first and at the last instant of their day. */
function faultsOf(make: typeof demoDefinition, find: (instants: Instants, now: number) => readonly string[]): string[] {
  return DAYS.flatMap((midnight) => {
    const sites = make(8080, new DemoDay(new Date(midnight))).sites.map(instantsOf);
    return [midnight, midnight + DAY_MS - 1].flatMap((now) =>
      sites.flatMap((site) => find(site, now)).map((fault) => `${new Date(now).toISOString()} ${fault}`),
    );
  });
}

/** `2028-02`: the month of the school. */
const monthOf = (instant: number, later = 0): string => {
  const local = new Date(instant + AHEAD_MS);
  return new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + later, 1)).toISOString().slice(0, 7);
};

const instantOf = (at: string): number => new Date(at).getTime();

describe.each(Object.entries(DEMOS))('the %s demo, made on any day of two years', (_size, make) => {
  it('shows sales, refunds, starts of events and progress in the last 30 days and in the 30 before', () => {
    const empty = ({ past }: Instants, now: number): string[] =>
      Object.entries(past).flatMap(([kind, instants]) => {
        const days = instants.map((at) => daysBetween(at, now));
        const counts = [days.filter((day) => day < 30).length, days.filter((day) => day >= 30 && day < 60).length];
        return counts.includes(0) ? [`${kind}: ${counts.join(', ')}`] : [];
      });
    expect(faultsOf(make, empty)).toEqual([]);
  });

  it('shows sales in the month before', () => {
    const missing = ({ past }: Instants, now: number): string[] =>
      past.sales.some((at) => monthOf(instantOf(at)) === monthOf(now, -1)) ? [] : [`no sale in ${monthOf(now, -1)}`];
    expect(faultsOf(make, missing)).toEqual([]);
  });

  it('shows no past instant of the future, and offers nothing that is over', () => {
    const wrong = ({ past, future }: Instants, now: number): string[] => [
      ...Object.values(past)
        .flat()
        .filter((at) => instantOf(at) > now),
      ...future.filter((at) => instantOf(at) <= now),
    ];
    expect(faultsOf(make, wrong)).toEqual([]);
  });
});

it('finds a demo of fixed dates empty a month later', () => {
  const fixed = (): ReturnType<typeof demoDefinition> => demoDefinition(8080, new DemoDay('2027-01-31'));
  const old = ({ past }: Instants, now: number): string[] =>
    past.sales.some((at) => daysBetween(at, now) < 30) ? [] : ['no sale'];
  expect(faultsOf(fixed, old).length).toBeGreaterThan(DAYS.length);
});

it('keeps the order numbers on each day, in the order of the payments', () => {
  const numbersOn = (date: string): readonly string[] => {
    const [site] = demoDefinition(8080, new DemoDay(date)).sites;
    const paid = site!.orders.filter(({ paid_at }) => paid_at !== null);
    return paid.toSorted((a, b) => a.paid_at!.localeCompare(b.paid_at!)).map(({ number }) => number);
  };
  const numbers = ['harbour-1001', 'harbour-1002', 'harbour-1003', 'harbour-1006', 'harbour-1007', 'harbour-1008'];
  for (const date of ['2027-01-31', '2027-03-01', '2028-02-29', '2028-12-31'])
    expect([date, numbersOn(date)]).toEqual([date, [...numbers, 'harbour-1009']]);
});

it('refunds no order before its payment', () => {
  const orders = wholeDemo(8080).sites.flatMap((site) => site.orders);
  const refunded = orders.filter(({ refund }) => refund !== undefined);
  expect(refunded.length).toBeGreaterThan(4);
  for (const { paid_at, refund } of refunded) expect(refund!.refunded_at > paid_at!).toBe(true);
});

describe('a day of the demo', () => {
  it.each(['2027-01-31T00:00:00.000Z', '2027-01-31T23:59:59.999Z', '2027-01-31'])(
    'takes the day of UTC: %s',
    (instant) => {
      const day = new DemoDay(instant);
      expect([day.date, day.ago(31, '10:15'), day.ahead(29, '09:00')]).toEqual([
        '2027-01-31',
        '2026-12-31T10:15:00.000Z',
        '2027-03-01T09:00:00.000Z',
      ]);
    },
  );

  it('refuses an instant of the same day as past or as future', () => {
    const day = DemoDay.today();
    expect(() => day.ago(0, '10:00')).toThrow('may be in the future');
    expect(() => day.ahead(0, '10:00')).toThrow('may be over');
    expect(day.ago(1, '10:00') < day.ahead(1, '10:00')).toBe(true);
  });
});
