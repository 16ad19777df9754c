import type { Cases, Json } from '@lyceum/collections/conventions';

/** Rules that lists do not have yet: own keys and the order of changes come with the foundations of each resource. */
const LISTS = ['sorts by creation and by change', 'filters by time, own key and words'];

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
  exempt: LISTS,
};

const students: Cases = {
  create: (unique) => ({ email: `${unique}@example.com`, name: `Student ${unique}`, external_id: unique }),
  patch: { phone_number: '+886912345678', tags: ['a'] },
  unique: ['external_id'],
  // A creation is idempotent by the address.
  distinct: ['email'],
  readOnly: ['person_id', 'state', 'enrollments_count'],
  search: ({ external_id }) => String(external_id),
  filters: { state: [({ state }) => state, 'removed'], email: [({ email }) => email, 'none@example.com'] },
  personal: true,
  exempt: LISTS,
};

const school: Cases = { readOnly: [] };

const appearance: Cases = {
  patch: (unique) => ({ logo_url: `https://cdn.example.com/${unique}.png` }),
  readOnly: [],
};

const slug = ({ slug: value }: Json): string => String(value);

const digitalProducts: Cases = {
  row: (unique) => ({ slug: unique, name: `Product ${unique}`, price_amount_minor: 100, price_currency: 'TWD' }),
  unique: ['slug'],
  readOnly: [],
  search: slug,
  filters: { state: [({ state }) => state, 'archived'] },
  exempt: LISTS,
};

const events: Cases = {
  row: (unique) => ({
    slug: unique,
    name: `Event ${unique}`,
    hosting_type: 'zoom',
    starts_at: '2027-01-01T00:00:00Z',
    ends_at: '2027-01-01T01:00:00Z',
    timezone: 'UTC',
  }),
  unique: ['slug'],
  readOnly: [],
  search: slug,
  filters: { state: [({ state }) => state, 'ended'] },
  exempt: LISTS,
};

const membershipPlans: Cases = {
  row: (unique) => ({ slug: unique, name: `Plan ${unique}`, plan_type: 'recurring' }),
  unique: ['slug'],
  readOnly: [],
  search: slug,
  filters: { state: [({ state }) => state, 'archived'] },
  exempt: LISTS,
};

const lecturers: Cases = {
  row: (unique) => ({ slug: unique, name: `Lecturer ${unique}`, visible: true }),
  unique: ['slug'],
  readOnly: [],
  search: slug,
  filters: { visible: [({ visible }) => visible, false] },
  personal: true,
  exempt: LISTS,
};

const pages: Cases = {
  row: (unique) => ({ slug: unique, title: `Page ${unique}`, path_prefix: `/pages/${unique}` }),
  unique: ['slug'],
  readOnly: [],
  filters: { state: [({ state }) => state, 'unpublished'] },
  exempt: LISTS,
};

/** Facts of each collection that the matrix cannot derive, by its name. */
export const conventionCases: Readonly<Record<string, Cases>> = {
  courses,
  students,
  digital_products: digitalProducts,
  events,
  membership_plans: membershipPlans,
  lecturers,
  pages,
  school,
  appearance,
};
