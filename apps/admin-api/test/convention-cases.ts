import type { Cases, Json } from '@lyceum/collections/conventions';

const courses: Cases = {
  create: (unique) => ({
    name: `Course ${unique}`,
    slug: unique,
    tags: ['a'],
    seo: { title: 'T', description: 'D' },
    external_id: unique,
  }),
  patch: { subtitle: 'For everyone', tags: ['b', 'c'], seo: { title: null }, featured: true, metadata: { a: 'b' } },
  unique: ['slug', 'external_id'],
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
  filters: {
    state: [({ state }) => state, 'archived'],
    external_id: [({ external_id }) => external_id, 'none'],
  },
};

const students: Cases = {
  create: (unique) => ({ email: `${unique}@example.com`, name: `Student ${unique}`, external_id: unique }),
  patch: { phone_number: '+886912345678', tags: ['a'], metadata: { a: 'b' } },
  unique: ['email', 'external_id'],
  readOnly: ['person_id', 'state', 'enrollments_count'],
  search: ({ external_id }) => String(external_id),
  filters: {
    state: [({ state }) => state, 'removed'],
    email: [({ email }) => email, 'none@example.com'],
    external_id: [({ external_id }) => external_id, 'none'],
  },
  personal: true,
  // No operation removes a student: auth does, so the matrix has none to restore. See roles.spec.ts.
  exempt: ['publishes exactly one event, and logs it once, with its actor: POST /api/v1/students/{id}/restore'],
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
};

const membershipPlans: Cases = {
  row: (unique) => ({ slug: unique, name: `Plan ${unique}`, plan_type: 'recurring' }),
  unique: ['slug'],
  readOnly: [],
  search: slug,
  filters: { state: [({ state }) => state, 'archived'] },
};

const lecturers: Cases = {
  row: (unique) => ({ slug: unique, name: `Lecturer ${unique}`, visible: true }),
  unique: ['slug'],
  readOnly: [],
  search: slug,
  filters: { visible: [({ visible }) => visible, false] },
  personal: true,
};

const pages: Cases = {
  row: (unique) => ({ slug: unique, title: `Page ${unique}`, path_prefix: `/pages/${unique}` }),
  unique: ['slug'],
  readOnly: [],
  filters: { state: [({ state }) => state, 'unpublished'] },
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
