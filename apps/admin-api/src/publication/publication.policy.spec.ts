import { PUBLICATION_STATES, publishedAt, transitionOf } from './publication.policy.js';
import type { PublicationState, Transition } from './publication.policy.js';

const ALLOWED: Record<Transition, Partial<Record<PublicationState, PublicationState>>> = {
  publish: { draft: 'published', unpublished: 'published', published: 'published' },
  unpublish: { published: 'unpublished', unpublished: 'unpublished' },
  archive: { unpublished: 'archived', archived: 'archived' },
};
const cases = (Object.keys(ALLOWED) as Transition[]).flatMap((name) =>
  PUBLICATION_STATES.map((state) => [name, state, ALLOWED[name][state]] as const),
);

it.each(cases)('moves by %s from %s to %s, stays there or refuses', (name, state, to) => {
  if (to === undefined)
    expect(() => transitionOf('course', state, name)).toThrow(expect.objectContaining({ code: 'invalid_state' }));
  else expect(transitionOf('course', state, name)?.to).toBe(to === state ? undefined : to);
});

it('keeps the time of the first publication', () => {
  const [first, now] = [new Date('2026-01-01T00:00:00Z'), new Date('2026-02-01T00:00:00Z')];
  expect(publishedAt({ published_at: null }, 'published', now)).toBe(now);
  expect(publishedAt({ published_at: first }, 'published', now)).toBe(first);
  expect(publishedAt({ published_at: first }, 'unpublished', now)).toBe(first);
  expect(publishedAt({ published_at: null }, 'archived', now)).toBeNull();
});
