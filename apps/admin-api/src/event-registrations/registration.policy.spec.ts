import type { TicketTerms } from '#src/event-tickets/event-ticket.policy.js';
import type { EventState } from '#src/events/event.policy.js';
import {
  Places,
  REGISTRATION_STATES,
  canWait,
  isCancelable,
  moveOf,
  refuseSoldOut,
  requireAttendable,
  requireCancelable,
  requireFree,
  requireOpen,
  takesPlace,
  ticketOf,
} from './registration.policy.js';
import type { RegistrationMove, RegistrationState } from './registration.policy.js';

const NOW = new Date('2026-12-01T10:00:00Z');
const at = (minutes: number): Date => new Date(NOW.getTime() + minutes * 60_000);
const INVALID = expect.objectContaining({ code: 'invalid_state' });
const ticket = (id: string, more: Partial<TicketTerms> = {}): [string, TicketTerms] => [
  id,
  { id, name: id, capacity: null, sold_count: 0, amount_minor: 0, ...more },
];
const refusal = (code: string, field: string) =>
  expect.objectContaining({ code, errors: [expect.objectContaining({ pointer: '/t', code: field })] });

it.each<[EventState, number, boolean, boolean]>([
  ['draft', 60, false, false],
  ['published', 60, true, true],
  ['published', -60, true, true],
  ['published', -180, false, true],
  ['ended', -180, false, true],
  ['canceled', 60, false, false],
])(
  'registers for an event that is %s and starts in %p minutes: member %p, operator %p',
  (state, start, ...expected) => {
    const event = { state, starts_at: at(start), ends_at: at(start + 120) };
    for (const [index, by] of (['member', 'operator'] as const).entries()) {
      if (expected[index] === true) expect(() => requireOpen(event, by, NOW, '/t')).not.toThrow();
      else expect(() => requireOpen(event, by, NOW, '/t')).toThrow(refusal('invalid_state', 'invalid_state'));
    }
  },
);

it.each<[EventState, number, boolean]>([
  ['ended', -60, true],
  ['ended', -180, false],
  ['published', -180, false],
  ['canceled', -60, false],
])('sells to a payment at an event that is now %s and started %p minutes after it: %p', (state, start, sold) => {
  const event = { state, starts_at: at(start), ends_at: at(start + 120) };
  const check = (): void => requireOpen(event, 'order', NOW, '/t');
  if (sold) expect(check).not.toThrow();
  else expect(check).toThrow(refusal('invalid_state', 'invalid_state'));
});

it('counts a place of all registrations but waiting and canceled ones', () => {
  expect(REGISTRATION_STATES.filter(takesPlace)).toEqual(['registered', 'checked_in', 'no_show']);
});

it('takes the places of the event and of its tickets, and no more', () => {
  const places = new Places(
    { capacity: 5, registrations_count: 2 },
    new Map([ticket('a', { capacity: 4, sold_count: 2 }), ticket('b')]),
  );
  expect(['a', 'a', 'a', 'b', 'b'].map((id) => places.take(id))).toEqual([true, true, false, true, false]);
  expect(places.taken).toBe(3);
  expect(places.isFull).toBe(true);
  expect(places.sold).toEqual([
    { id: 'a', by: 2 },
    { id: 'b', by: 1 },
  ]);
  const free = new Places({ capacity: null, registrations_count: 9 }, new Map());
  expect([free.take(null), free.isFull, free.sold]).toEqual([true, false, []]);
});

it('names a place that is sold out', () => {
  expect(() => refuseSoldOut('/t')).toThrow(refusal('invalid_state', 'sold_out'));
});

it('requires a ticket of the event, and none without tickets', () => {
  const tickets = new Map([ticket('a')]);
  expect(ticketOf('a', tickets, '/t')?.id).toBe('a');
  expect(ticketOf(null, new Map(), '/t')).toBeUndefined();
  expect(() => ticketOf(null, tickets, '/t')).toThrow(refusal('validation_failed', 'required'));
  expect(() => ticketOf('b', tickets, '/t')).toThrow(refusal('validation_failed', 'not_found'));
  expect(() => ticketOf('a', new Map(), '/t')).toThrow(refusal('validation_failed', 'not_found'));
});

it('gives members free tickets only', () => {
  expect(() => requireFree(undefined, '/t')).not.toThrow();
  expect(() => requireFree({ amount_minor: 0 }, '/t')).not.toThrow();
  expect(() => requireFree({ amount_minor: 1 }, '/t')).toThrow(refusal('invalid_state', 'invalid_value'));
});

const ALLOWED: Record<RegistrationMove, readonly RegistrationState[]> = {
  check_in: ['registered', 'no_show'],
  no_show: ['registered', 'checked_in'],
  cancel: ['registered', 'waitlisted'],
};
const TO: Record<RegistrationMove, RegistrationState> = {
  check_in: 'checked_in',
  no_show: 'no_show',
  cancel: 'canceled',
};

it.each(
  (Object.keys(ALLOWED) as RegistrationMove[]).flatMap((name) =>
    REGISTRATION_STATES.map((state) => [name, state] as const),
  ),
)('moves by %s a registration that is %s, leaves it or refuses', (name, state) => {
  if (state === TO[name]) expect(moveOf(state, name)).toBeUndefined();
  else if (ALLOWED[name].includes(state)) expect(moveOf(state, name)?.to).toBe(TO[name]);
  else expect(() => moveOf(state, name)).toThrow(INVALID);
});

it.each([
  [60, true, false],
  [60.001, false, false],
  [0, true, true],
  [0.001, true, false],
  [-600, true, true],
])('records attendance %p minutes before the start: check in %p, no-show %p', (minutes, ...expected) => {
  const event = { state: 'published' as const, starts_at: at(minutes), ends_at: at(minutes + 60) };
  for (const [index, name] of (['check_in', 'no_show'] as const).entries()) {
    if (expected[index] === true) expect(() => requireAttendable(event, name, NOW)).not.toThrow();
    else expect(() => requireAttendable(event, name, NOW)).toThrow(INVALID);
    expect(() => requireAttendable({ ...event, state: 'canceled' }, name, NOW)).toThrow(INVALID);
  }
});

it('lets members cancel what they did not buy, before the start', () => {
  expect(() => requireCancelable({ source: 'free' }, { starts_at: at(1) }, NOW)).not.toThrow();
  expect(() => requireCancelable({ source: 'free' }, { starts_at: NOW }, NOW)).toThrow(INVALID);
  expect(() => requireCancelable({ source: 'order' }, { starts_at: at(1) }, NOW)).toThrow(INVALID);
});

it.each([
  ['registered', true],
  ['waitlisted', true],
  ['checked_in', false],
  ['no_show', false],
  ['canceled', false],
] as const)('lets a refund cancel a registration that is %s: %p', (state, expected) => {
  expect(isCancelable(state)).toBe(expected);
});

it.each([
  [true, 60, true],
  [false, 60, false],
  // A list of an event that has ended never moves.
  [true, -60, false],
])('decides whether a student waits: list %p, end in %p minutes, %p', (waitlist, minutes, waits) => {
  const event = { state: 'live' as const, starts_at: at(-120), ends_at: at(minutes), waitlist };
  expect(canWait(event, NOW)).toBe(waits);
});
