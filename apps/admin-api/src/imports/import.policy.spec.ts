import { FaultLog, faultOf } from './import.faults.js';
import { IMPORT_LIMITS, requireCancelable, requirePlace, startsRun } from './import.policy.js';
import type { ImportState } from './import.policy.js';

const preview = (rows_failed: number) => ({ rows_created: 1, rows_updated: 0, rows_skipped: 0, rows_failed });
const refusal = expect.objectContaining({ code: 'invalid_state' });

it.each<[ImportState, number, boolean, boolean | 'refused']>([
  ['previewed', 0, false, true],
  ['previewed', 1, true, true],
  ['previewed', 1, false, 'refused'],
  ['running', 1, false, false],
  ['completed', 1, false, false],
  ['queued', 0, true, 'refused'],
  ['checking', 0, true, 'refused'],
  ['invalid', 1, true, 'refused'],
  ['failed', 0, true, 'refused'],
  ['canceled', 0, true, 'refused'],
])('runs an import that is %s with %i faults and skip_invalid %p: %p', (state, failed, skips, starts) => {
  const run = (): boolean => startsRun({ state, preview: preview(failed) }, skips);
  if (starts === 'refused') expect(run).toThrow(refusal);
  else expect(run()).toBe(starts);
});

it.each<[ImportState, boolean]>([
  ['queued', true],
  ['checking', true],
  ['previewed', true],
  ['running', true],
  ['canceled', true],
  ['invalid', false],
  ['completed', false],
  ['failed', false],
])('cancels an import that is %s: %p', (state, cancels) => {
  const cancel = (): void => requireCancelable(state);
  if (cancels) expect(cancel).not.toThrow();
  else expect(cancel).toThrow(refusal);
});

it('needs the course of a plan', () => {
  expect(() => requirePlace({ course_id: null, plan_id: 'p' })).toThrow(
    expect.objectContaining({ code: 'validation_failed' }),
  );
  for (const place of [
    { course_id: 'c', plan_id: 'p' },
    { course_id: 'c', plan_id: null },
    { course_id: null, plan_id: null },
  ])
    expect(() => requirePlace(place)).not.toThrow();
});

const whole = { pointer: '', code: 'required', detail: '' } as const;

it.each([
  ['', {}, null, null],
  ['/email', { Mail: 'email', Note: null }, 'Mail', 'a@b'],
  ['/email', {}, 'email', 'a@b'],
  ['/tags/1', {}, 'tags', 'x'],
  ['/metadata/team', { Team: 'metadata.team' }, 'Team', '7'],
  ['/metadata/team', { Notes: 'metadata' }, 'Notes', '7'],
  ['/metadata/team', {}, 'metadata.team', '7'],
  ['/metadata/a~1b', {}, 'metadata.a/b', null],
  ['/name', {}, 'name', null],
  ['/social_links', {}, 'social_links', '[{"network":1}]'],
])('shows the column and the value at %j with the mapping %j', (pointer, mapping, column, value) => {
  const members = { email: 'a@b', tags: ['w', 'x'], metadata: { team: 7 }, social_links: [{ network: 1 }] };
  expect(faultOf({ line: 2, members }, { ...whole, pointer }, mapping)).toEqual({
    line: 2,
    ...whole,
    pointer,
    column,
    value,
  });
});

it('cuts a faulty value at its limit, and stores no character that the database refuses', () => {
  const { charactersOfValue } = IMPORT_LIMITS;
  const stored = (name: string) => {
    const log = new FaultLog();
    log.add([faultOf({ line: 1, members: { name } }, { ...whole, pointer: '/name' }, {})]);
    return log.stored[0]?.value;
  };
  expect(stored('x'.repeat(charactersOfValue))).toBe('x'.repeat(charactersOfValue));
  expect(stored('x'.repeat(charactersOfValue + 1))).toBe('x'.repeat(charactersOfValue));
  expect(stored(`${'x'.repeat(charactersOfValue - 1)}😀`)).toBe('x'.repeat(charactersOfValue - 1));
  expect(stored('a\0b')).toBe('a\uFFFDb');
});

it('stores the first faults by their lines, and the one that ends the file', () => {
  const fault = (line: number) => ({ line, ...whole, column: null, value: null });
  const log = new FaultLog(2);
  log.add([fault(3), fault(1), fault(2)]);
  expect([log.count, log.stored.map(({ line }) => line)]).toEqual([3, [1, 3]]);
  log.addLast(fault(9));
  expect([log.count, log.stored.map(({ line }) => line)]).toEqual([4, [3, 9]]);
});
