import { stateChanges } from './state-changes.js';

const event = (state: string, aggregate_version: number, given: { epoch?: number; name?: string } = {}) => ({
  type: `school.booking.${given.name ?? 'updated'}.v1`,
  aggregate_id: 'one',
  epoch: given.epoch ?? 1,
  aggregate_version,
  data: { state },
});
const row = { id: 'one', epoch: 1, version: 2, state: 'scheduled' };
const stored = [row];

it.each([
  ['a newer event', stored, [event('canceled', 3)], [['scheduled', 'canceled']]],
  ['the first event', [], [event('scheduled', 1)], [[undefined, 'scheduled']]],
  ['an event of a newer epoch', stored, [event('canceled', 1, { epoch: 2 })], [['scheduled', 'canceled']]],
  ['an event whose state a rebuild has stored', stored, [event('scheduled', 2)], [[undefined, 'scheduled']]],
  ['an event that such a state includes', stored, [event('scheduled', 1)], []],
  ['a republished event of the stored state', stored, [event('scheduled', 2, { name: 'republished' })], []],
  ['a repeated event', [], [event('scheduled', 1), event('scheduled', 1)], [[undefined, 'scheduled']]],
  [
    'repeated events of a stored state',
    stored,
    [event('scheduled', 1), event('scheduled', 2), event('scheduled', 2)],
    [[undefined, 'scheduled']],
  ],
  ['an event of an older epoch', [{ ...row, epoch: 2 }], [event('canceled', 3)], []],
  [
    'two events of a batch',
    [],
    [event('scheduled', 1), event('canceled', 2)],
    [
      [undefined, 'scheduled'],
      ['scheduled', 'canceled'],
    ],
  ],
  [
    'an event after a republished one',
    stored,
    [event('completed', 3, { name: 'republished' }), event('no_show', 4)],
    [['completed', 'no_show']],
  ],
])('pairs states for %s', (_what, known, events, changes) => {
  const pairs = stateChanges<{ state: string }, ReturnType<typeof event>>(known, events);
  expect(pairs.map((one) => [one.before?.state, one.event.data.state])).toEqual(changes);
});
