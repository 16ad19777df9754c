import type { Cases } from '@lyceum/collections/conventions';

const courses: Cases = {
  create: (unique) => ({ name: `Course ${unique}`, slug: unique, tags: ['a'], seo: { title: 'T', description: 'D' } }),
  patch: { subtitle: 'For everyone', tags: ['b', 'c'], seo: { title: null }, featured: true },
  unique: ['slug'],
  readOnly: ['state', 'enrollments_count', 'published_at'],
  states: {
    member: 'state',
    initial: 'draft',
    moves: {
      publish: { draft: 'published', unpublished: 'published' },
      unpublish: { published: 'unpublished' },
      archive: { unpublished: 'archived' },
    },
    sealed: ['archived'],
  },
  search: ({ slug }) => String(slug),
  filters: { state: [({ state }) => state, 'archived'] },
  // Own keys and the order of changes come with the foundations of the resource.
  exempt: ['sorts by creation and by change', 'filters by time, own key and words'],
};

/** What the matrix cannot know of each collection, by its name. */
export const conventionCases: Readonly<Record<string, Cases>> = { courses };
