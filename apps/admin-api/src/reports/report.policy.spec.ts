import { newSince, periodStart } from './report.policy.js';

const at = (day: number) => ({ created_at: new Date(Date.UTC(2026, 10, day)) });

describe('a report', () => {
  it.each([
    [1, '2026-11-14T00:00:00.000Z'],
    [4, '2026-10-24T00:00:00.000Z'],
  ])('starts a report of %d weeks at %s', (weeks, start) => {
    expect(periodStart(new Date('2026-11-21T00:00:00.000Z'), weeks).toISOString()).toBe(start);
  });

  it('includes objects that were created at its start or later', () => {
    const rows = [at(20), at(14), at(13)];
    expect(newSince({ rows, next: 'more' }, new Date(Date.UTC(2026, 10, 14)))).toEqual({
      items: [at(20), at(14)],
      more: false,
    });
  });

  it.each([
    ['x', true],
    [null, false],
  ])('continues after a page of new objects if a next page exists: %j', (next, more) => {
    expect(newSince({ rows: [at(20)], next }, at(1).created_at).more).toBe(more);
  });
});
