import { MAX_TICKETS, positionAfter, requireCapacity, requireOnSale } from './event-ticket.policy.js';

const INVALID = expect.objectContaining({ code: 'invalid_state' });

it('puts a ticket after the last one, up to the limit', () => {
  expect(positionAfter([])).toBe(1);
  expect(positionAfter([{ position: 7 }, { position: 3 }])).toBe(8);
  const tickets = Array.from({ length: MAX_TICKETS }, (_none, position) => ({ position }));
  expect(positionAfter(tickets.slice(1))).toBe(MAX_TICKETS);
  expect(() => positionAfter(tickets)).toThrow(INVALID);
});

it('keeps the tickets of events that are over', () => {
  for (const state of ['draft', 'published', 'live'] as const) expect(() => requireOnSale(state)).not.toThrow();
  for (const state of ['ended', 'canceled'] as const) expect(() => requireOnSale(state)).toThrow(INVALID);
});

it.each([
  [null, true],
  [2, true],
  [3, true],
  [1, false],
])('accepts the capacity %p of a ticket that was sold twice: %p', (capacity, accepted) => {
  const ticket = { capacity, sold_count: 2 };
  if (accepted) expect(() => requireCapacity(ticket)).not.toThrow();
  else expect(() => requireCapacity(ticket)).toThrow(INVALID);
});
