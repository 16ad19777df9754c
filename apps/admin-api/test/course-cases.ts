import type { Caller, Cases, CreateOther, Json } from '@lyceum/collections/conventions';
import { EVERY_OPERATOR } from './unfenced.js';

export const course = (unique: string): Json => ({
  name: `Course ${unique}`,
  slug: unique,
  tags: ['a'],
  seo: { title: 'T', description: 'D' },
  external_id: unique,
});

/** Returns the scope of each operation of a collection that uses the scope of another one. */
export const scopesOf = (
  collection: string,
  scope: string,
  actions: readonly string[] = [],
): Record<string, string> => {
  const list = `/api/v1/${collection}`;
  const one = `${list}/{id}`;
  const writes = [
    `POST ${list}`,
    `POST ${list}/bulk`,
    `PUT ${list}/by_external_id/{external_id}`,
    `PATCH ${one}`,
    `DELETE ${one}`,
  ];
  return Object.fromEntries([
    ...[`GET ${list}`, `GET ${one}`].map((read) => [read, `${scope}:read`]),
    ...[...writes, ...actions.map((action) => `POST ${one}/${action}`)].map((write) => [write, `${scope}:write`]),
  ]) as Record<string, string>;
};

export const lecturer = (unique: string): Json => ({ slug: unique, name: `Lecturer ${unique}`, visible: true });

export const category = (unique: string): Json => ({ slug: unique, name: `Category ${unique}`, external_id: unique });

/** A teacher without a course. */
export const TEACHER: Caller = { roles: ['lecturer'] };

/** Filters of each list of courses. */
const courseFilters: Cases['filters'] = {
  state: [({ state }) => state, 'archived'],
  external_id: [({ external_id }) => external_id, 'none'],
  slug: [({ slug }) => slug, 'none'],
  tag: [({ tags }) => (tags as unknown[])[0], 'none'],
  course_type: [({ course_type }) => course_type, 'pre_order'],
  featured: [({ featured }) => featured, true],
  hidden: [({ hidden }) => hidden, true],
};

/** Below a lecturer. */
const lecturerCourses: Cases = {
  cause: async (unique, other, lecturer_id) => ({
    method: 'POST',
    path: '/api/v1/courses',
    body: {
      ...course(unique),
      category_ids: [(await other('/api/v1/categories', category(unique)))['id']],
      lecturer_ids: [lecturer_id],
    },
  }),
  table: 'courses',
  readOnly: [],
  search: ({ slug }) => String(slug),
  filters: {
    ...courseFilters,
    category_id: [({ category_ids }) => (category_ids as unknown[])[0], '019ab3c0-0000-7000-8000-000000000000'],
  },
  parent: { collection: 'lecturers', create: lecturer },
  scopes: { 'GET /api/v1/lecturers/{lecturer_id}/courses': 'courses:read' },
  // GET /courses reads the same rows.
  exempt: ['serves', 'sends one statement for an expansion'],
  fenced: TEACHER,
};

const courses: Cases = {
  create: async (unique, other) => ({
    ...course(unique),
    category_ids: [(await other('/api/v1/categories', category(unique)))['id']],
    lecturer_ids: [(await other('/api/v1/lecturers', lecturer(unique)))['id']],
  }),
  references: ['category_ids', 'lecturer_ids'],
  patch: { subtitle: 'For everyone', tags: ['b', 'c'], seo: { title: null }, metadata: { a: 'b' } },
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
    ...courseFilters,
    category_id: [({ category_ids }) => (category_ids as unknown[])[0], '019ab3c0-0000-7000-8000-000000000000'],
    lecturer_id: [({ lecturer_ids }) => (lecturer_ids as unknown[])[0], '019ab3c0-0000-7000-8000-000000000000'],
  },
  parts: ['text'],
  fenced: TEACHER,
};

const categories: Cases = {
  create: category,
  patch: { name: 'Renamed', description: 'Color on paper', position: 2, metadata: { a: 'b' } },
  unique: ['slug', 'external_id'],
  readOnly: [],
  search: ({ slug }) => String(slug),
  filters: { slug: [({ slug }) => slug, 'none'], external_id: [({ external_id }) => external_id, 'none'] },
  scopes: scopesOf('categories', 'courses'),
  unfenced: EVERY_OPERATOR,
};

const plan = (unique: string): Json => ({
  name: `Plan ${unique}`,
  plan_type: 'specific_length',
  price: { amount_minor: 100, currency: 'TWD' },
  access_days: 30,
  external_id: unique,
});

const PLAN_PATCH = {
  name: 'Renamed',
  price: { amount_minor: 200 },
  access_days: 60,
  active: false,
  metadata: { a: 'b' },
};

const plans: Cases = {
  create: plan,
  patch: PLAN_PATCH,
  table: 'course_plans',
  unique: ['external_id'],
  readOnly: ['course_id'],
  fixed: ['plan_type'],
  filters: { active: [({ active }) => active, false], external_id: [({ external_id }) => external_id, 'none'] },
  parent: { collection: 'courses', create: course },
  scopes: {
    'GET /api/v1/courses/{course_id}/plans': 'courses:read',
    'GET /api/v1/courses/{course_id}/plans/{plan_id}': 'courses:read',
    'POST /api/v1/courses/{course_id}/plans': 'courses:write',
    'PUT /api/v1/courses/{course_id}/plans/by_external_id/{external_id}': 'courses:write',
    'PATCH /api/v1/courses/{course_id}/plans/{plan_id}': 'courses:write',
    'DELETE /api/v1/courses/{course_id}/plans/{plan_id}': 'courses:write',
  },
  fenced: TEACHER,
  // The type of a plan decides which other members it has: course-plans.spec.ts has their limits.
  exempt: ['accepts members at their limits'],
};

/** The same plans by their ids alone. */
const plansOfCourses: Cases = {
  create: async (unique, other) => ({
    ...plan(unique),
    course_id: (await other('/api/v1/courses', course(unique)))['id'],
  }),
  patch: PLAN_PATCH,
  unique: ['external_id'],
  readOnly: [],
  references: ['course_id'],
  fixed: ['plan_type', 'course_id'],
  filters: {
    course_id: [({ course_id }) => course_id, '019ab3c0-0000-7000-8000-000000000000'],
    active: [({ active }) => active, false],
    external_id: [({ external_id }) => external_id, 'none'],
  },
  scopes: scopesOf('course_plans', 'courses'),
  fenced: TEACHER,
  exempt: ['accepts members at their limits'],
};

const section = async (unique: string, other: CreateOther): Promise<Json> => ({
  course_id: (await other('/api/v1/courses', course(unique)))['id'],
  title: `Section ${unique}`,
  external_id: unique,
});

const sections: Cases = {
  create: section,
  patch: { title: 'Renamed', drip_days: 7, opens_at: '2027-03-01T00:00:00.000Z', metadata: { a: 'b' } },
  unique: ['external_id'],
  readOnly: ['position'],
  fixed: ['course_id'],
  references: ['course_id'],
  distinct: ['title'],
  search: ({ external_id }) => String(external_id),
  filters: {
    course_id: [({ course_id }) => course_id, '019ab3c0-0000-7000-8000-000000000000'],
    external_id: [({ external_id }) => external_id, 'none'],
  },
  scopes: scopesOf('sections', 'curriculum'),
  fenced: TEACHER,
};

const lectures: Cases = {
  create: async (unique, other) => ({
    section_id: (await other('/api/v1/sections', await section(unique, other)))['id'],
    slug: unique,
    title: `Lecture ${unique}`,
    attachments: [{ title: 'List', kind: 'pdf', url: 'https://cdn.example.com/list.pdf', downloadable: true }],
    external_id: unique,
  }),
  patch: { title: 'Renamed', duration_seconds: 60, content_html: '<p>Text</p>', attachments: [], metadata: { a: 'b' } },
  unique: ['external_id'],
  distinct: ['slug'],
  references: ['section_id'],
  readOnly: ['course_id', 'position', 'published_at'],
  fixed: ['state'],
  states: {
    member: 'state',
    initial: 'draft',
    moves: { publish: { draft: 'published' }, unpublish: { published: 'draft' } },
  },
  search: ({ slug }) => String(slug),
  filters: {
    course_id: [({ course_id }) => course_id, '019ab3c0-0000-7000-8000-000000000000'],
    section_id: [({ section_id }) => section_id, '019ab3c0-0000-7000-8000-000000000000'],
    slug: [({ slug }) => slug, 'none'],
    state: [({ state }) => state, 'published'],
    external_id: [({ external_id }) => external_id, 'none'],
  },
  scopes: scopesOf('lectures', 'curriculum', ['publish', 'unpublish']),
  parts: ['lecture_attachments', 'text'],
  fenced: TEACHER,
};

const curriculum: Cases = {
  readOnly: [],
  parent: {
    collection: 'courses',
    create: course,
    fill: async (course_id, other) => {
      for (const title of ['First', 'Second']) await other('/api/v1/sections', { course_id, title });
    },
  },
  order: ({ sections: all }) => ({
    sections: (all as Json[]).map(({ id }) => ({ id, lecture_ids: [] })).toReversed(),
  }),
  scopes: {
    'GET /api/v1/courses/{course_id}/curriculum': 'curriculum:read',
    'PUT /api/v1/courses/{course_id}/curriculum/order': 'curriculum:write',
  },
  fenced: TEACHER,
};

/** Facts of courses and of what belongs to them. */
export const courseCases: Readonly<Record<string, Cases>> = {
  courses,
  'lecturers/courses': lecturerCourses,
  categories,
  'courses/plans': plans,
  course_plans: plansOfCourses,
  'courses/curriculum': curriculum,
  sections,
  lectures,
};
