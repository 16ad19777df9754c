import { FaultLog } from './import.faults.js';
import { requireCancelable, requirePlace, startsRun } from './import.policy.js';
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

it('stores the first faults by their lines, and the one that ends the file', () => {
  const fault = (line: number) => ({ line, pointer: '', code: 'required' as const, detail: '' });
  const log = new FaultLog(2);
  log.add([fault(3), fault(1), fault(2)]);
  expect([log.count, log.stored.map(({ line }) => line)]).toEqual([3, [1, 3]]);
  log.addLast(fault(9));
  expect([log.count, log.stored.map(({ line }) => line)]).toEqual([4, [3, 9]]);
});
