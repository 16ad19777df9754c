import type { Cases, CreateOther } from '@lyceum/collections/conventions';
import { api } from './convention-target.js';
import { course } from './course-cases.js';
import { student } from './student-body.js';
import { ADMINISTRATORS } from './unfenced.js';

const NONE = '019ab3c0-0000-7000-8000-000000000000';

/** Programs define forms, so the operator API has no creation. */
const forms: Cases = {
  row: (unique) => Promise.resolve({ slug: unique, external_id: unique, title: 'A form', fields: '[]', active: true }),
  unique: ['slug', 'external_id'],
  readOnly: [],
  filters: {
    slug: [({ slug }) => slug, 'none'],
    external_id: [({ external_id }) => external_id, 'none'],
    active: [({ active }) => active, false],
  },
  unfenced: ADMINISTRATORS,
};

/** Inserts a form at the site of a new course. Returns its id. */
async function newForm(unique: string, other: CreateOther): Promise<string> {
  const { id } = await other('/api/v1/courses', course(unique));
  const [made] = await api.query<{ id: string }>(
    `insert into forms (site_id, slug, title, fields, active)
     select site_id, slug, 'A form', '[]', true from courses where id = $1 returning id`,
    [id],
  );
  return made?.id ?? '';
}

const submissions: Cases = {
  row: async (unique, other, form_id) => {
    const { id: student_id } = await other('/api/v1/students', student(unique));
    return { form_id, student_id, answers: { name: 'Mei' }, submitted_at: new Date().toISOString() };
  },
  table: 'form_submissions',
  readOnly: [],
  filters: { student_id: [({ student_id }) => student_id, NONE] },
  parent: { collection: 'forms', make: newForm },
  scopes: {
    'GET /api/v1/forms/{form_id}/submissions': 'forms:read',
    'GET /api/v1/forms/{form_id}/submissions/{submission_id}': 'forms:read',
  },
  personal: true,
  unfenced: ADMINISTRATORS,
};

/** Facts of forms. */
export const formCases: Readonly<Record<string, Cases>> = { forms, 'forms/submissions': submissions };
