import { ANNOUNCEMENT_STATES, moveOf, requireTime, requireUnsent } from './announcement.policy.js';
import type { AnnouncementMove, AnnouncementState } from './announcement.policy.js';

const NOW = new Date('2026-12-01T10:00:00Z');
const at = (minutes: number): Date => new Date(NOW.getTime() + minutes * 60_000);
const SOON = at(1);
const planned = (state: AnnouncementState, sends_at: Date | null = SOON) => ({ state, sends_at });
const refusal = (code: string, ...pointers: string[]) =>
  expect.objectContaining({ code, errors: pointers.map((pointer) => expect.objectContaining({ pointer })) });

const SENT = { event: 'sent', changes: { state: 'sent', sent_at: NOW } };
/** Undefined: the announcement is there already. */
const RESULTS: Record<AnnouncementMove, Partial<Record<AnnouncementState, object | undefined>>> = {
  schedule: { draft: { event: 'scheduled', changes: { state: 'scheduled' } }, scheduled: undefined },
  unschedule: { scheduled: { event: 'unscheduled', changes: { state: 'draft' } }, draft: undefined },
  send: { draft: SENT, scheduled: SENT, sent: undefined },
};

it.each(
  (Object.keys(RESULTS) as AnnouncementMove[]).flatMap((name) =>
    ANNOUNCEMENT_STATES.map((state) => [name, state] as const),
  ),
)('moves an announcement by %s from %s, or refuses', (name, state) => {
  const move = () => moveOf(planned(state), name, NOW);
  if (state in RESULTS[name]) expect(move()).toEqual(RESULTS[name][state]);
  else expect(move).toThrow(refusal('invalid_state'));
});

it.each([null, at(-1), NOW])('refuses to schedule an announcement for %p', (sends_at) => {
  expect(() => moveOf(planned('draft', sends_at), 'schedule', NOW)).toThrow(refusal('invalid_state', '/sends_at'));
});

it('keeps the time of a scheduled announcement in the future', () => {
  requireTime(SOON, planned('scheduled'), NOW);
  for (const sends_at of [null, at(-1), NOW]) {
    requireTime(sends_at, planned('draft'), NOW);
    expect(() => requireTime(sends_at, planned('scheduled'), NOW)).toThrow(refusal('validation_failed', '/sends_at'));
  }
});

it('refuses a change of a sent announcement only', () => {
  for (const state of ['draft', 'scheduled'] as const) requireUnsent(planned(state));
  expect(() => requireUnsent(planned('sent'))).toThrow(refusal('invalid_state'));
});
