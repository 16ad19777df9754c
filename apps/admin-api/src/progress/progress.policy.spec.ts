import { changesBy, requireLecture } from './progress.policy.js';

const at = (minute: number): Date => new Date(Date.UTC(2026, 9, 2, 8, minute));
const step = (minute: number, completed = false) => ({
  lecture_title: 'One',
  position_seconds: minute,
  watched_at: at(minute),
  completed,
});
const moved = (minute: number) => ({ lecture_title: 'One', position_seconds: minute, watched_at: at(minute) });
const completion = (minute: number) => ({ completed: true, completed_at: at(minute) });

it.each([
  ['a later step', step(6), null, moved(6)],
  ['the same instant', step(5), null, undefined],
  ['an older step', step(4), null, undefined],
  ['a later completion', step(6, true), null, { ...moved(6), ...completion(6) }],
  ['an older completion of an open lecture', step(4, true), null, completion(4)],
  ['a completion at the same instant', step(5, true), null, completion(5)],
  ['a completion before the known one', step(2, true), at(3), completion(2)],
  ['a completion at the known one', step(3, true), at(3), undefined],
  ['a completion after the known one', step(4, true), at(3), undefined],
  ['a later step in a completed lecture', step(6), at(3), moved(6)],
  ['a later completion of a completed lecture', step(6, true), at(3), moved(6)],
])('changes progress of minute 5 by %s', (_name, record, completed_at, changes) => {
  expect(changesBy(record, { watched_at: at(5), completed_at })).toEqual(changes);
});

it('refuses a missing lecture with the code of the edge', () => {
  expect(requireLecture('one', { pointer: '/lecture', code: 'not_found' })).toBe('one');
  expect(() => requireLecture(undefined, { pointer: '/lecture', code: 'not_found' })).toThrow(
    expect.objectContaining({ code: 'not_found', errors: [expect.objectContaining({ pointer: '/lecture' })] }),
  );
});
