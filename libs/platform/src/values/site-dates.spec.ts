import { makeExecution, runIn } from '../telemetry/request-context.js';
import { SiteTimeZones, hasDate, prepareDates, runInTimeZone, startOfDate } from './site-dates.js';

class Zones extends SiteTimeZones {
  readonly asked: string[] = [];

  constructor(private readonly zone: string) {
    super();
  }

  of(site_id: string): Promise<string> {
    this.asked.push(site_id);
    return Promise.resolve(this.zone);
  }
}

const inRequest = <T>(work: () => T): T => runIn(makeExecution('request', undefined), work);

/** The start of a date in a request that has it. */
const startIn = (zone: string, date: string): Promise<string> =>
  inRequest(async () => {
    await prepareDates(new Zones(zone), 'site', { body: [{ at: date }] });
    return startOfDate(date);
  });

it.each([
  ['UTC', '2026-11-28', '2026-11-28T00:00:00.000Z'],
  ['Asia/Taipei', '2026-11-28', '2026-11-27T16:00:00.000Z'],
  ['America/New_York', '2026-07-01', '2026-07-01T04:00:00.000Z'],
  ['America/New_York', '2026-11-28', '2026-11-28T05:00:00.000Z'],
  // The clocks go from midnight to one o'clock.
  ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
  ['UTC', '2024-02-29', '2024-02-29T00:00:00.000Z'],
])('begins a date in %s: %s', async (zone, date, expected) => {
  expect(await startIn(zone, date)).toBe(expected);
});

it.each(['2026-02-29', '2026-13-01', '2026-00-10', '2026-11-28T00:00:00Z', '26-11-28', '2026-11-2', ''])(
  'leaves %j unchanged',
  async (text) => {
    expect(await startIn('Asia/Taipei', text)).toBe(text);
  },
);

it('finds a date at any depth, and none in other texts', () => {
  expect(hasDate({ items: [{ a: null, b: { c: '2026-11-28' } }] })).toBe(true);
  expect(hasDate({ 'created_at[gte]': '2026-11-28' })).toBe(true);
  expect(hasDate({ a: 'on 2026-11-28', b: ['2026-11-28T00:00:00Z', 20_261_128, true, null], c: {} })).toBe(false);
  expect(hasDate(undefined)).toBe(false);
});

it('looks up no time zone without a date, and uses UTC outside of a request', async () => {
  const zones = new Zones('Asia/Taipei');
  await inRequest(() => prepareDates(zones, 'site', { name: 'A course' }));
  await prepareDates(zones, 'site', { at: '2026-11-28' });
  expect(zones.asked).toEqual([]);
  expect(startOfDate('2026-11-28')).toBe('2026-11-28T00:00:00.000Z');
  await inRequest(() => prepareDates(zones, 'site', { at: '2026-11-28' }));
  expect(zones.asked).toEqual(['site']);
});

it('uses UTC where no service has the time zones of sites', async () => {
  await inRequest(async () => {
    await prepareDates(undefined, 'site', { at: '2026-11-28' });
    expect(startOfDate('2026-11-28')).toBe('2026-11-28T00:00:00.000Z');
  });
});

it('begins dates of a file in the time zone of its site, in a job without a request and within one', () => {
  const start = (): string => runInTimeZone('Asia/Taipei', () => startOfDate('2026-11-28'));
  expect(start()).toBe('2026-11-27T16:00:00.000Z');
  expect(inRequest(() => [start(), startOfDate('2026-11-28')])).toEqual([
    '2026-11-27T16:00:00.000Z',
    '2026-11-28T00:00:00.000Z',
  ]);
});
