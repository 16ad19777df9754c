import { withPartialForms } from './partial-forms.js';

const name = { type: 'string' };
const content = (schema: string) => ({
  content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
});
const document = {
  paths: {
    '/courses': {
      get: { parameters: [{ name: 'fields' }], responses: { 200: content('CourseList'), 404: {} } },
      post: { responses: { 200: content('Course'), 201: content('Course') } },
    },
    '/plan': { get: { parameters: [], responses: { 200: content('Plan') } }, delete: { responses: { 204: {} } } },
  },
  components: {
    schemas: {
      Course: {
        type: 'object',
        properties: { id: name, price: { type: 'object', properties: { amount: name }, required: ['amount'] } },
        required: ['id', 'price'],
        additionalProperties: false,
      },
      CourseList: {
        type: 'object',
        properties: { data: { type: 'array', items: { $ref: '#/components/schemas/Course' } }, page: name },
        required: ['data', 'page'],
      },
      Plan: { type: 'object', properties: { id: name }, required: ['id'] },
    },
  },
};
const described = withPartialForms(document) as typeof document;
const responseOf = (path: '/courses' | '/plan', method: string, status: number): unknown =>
  (described.paths[path] as object as Record<string, { responses: Record<number, ReturnType<typeof content>> }>)[method]
    ?.responses[status]?.content['application/json'].schema;
const either = (schema: string) => ({
  anyOf: [{ $ref: `#/components/schemas/${schema}` }, { $ref: `#/components/schemas/Partial${schema}` }],
});

it('adds a form to the response with `fields` and to the 200 of a write', () => {
  expect(responseOf('/courses', 'get', 200)).toEqual(either('CourseList'));
  expect(responseOf('/courses', 'post', 200)).toEqual(either('Course'));
});

it('keeps the response to a creation, and to a read without `fields`', () => {
  expect(responseOf('/courses', 'post', 201)).toEqual({ $ref: '#/components/schemas/Course' });
  expect(responseOf('/plan', 'get', 200)).toEqual({ $ref: '#/components/schemas/Plan' });
  expect(Object.keys(described.components.schemas).toSorted()).toEqual(
    ['Course', 'CourseList', 'PartialCourse', 'PartialCourseList', 'Plan'].toSorted(),
  );
});

it('requires no field of an object that a write changes, and none of its inner objects', () => {
  expect(described.components.schemas).toMatchObject({
    PartialCourse: {
      properties: {
        dry_run: { const: true },
        id: { anyOf: [name, { type: 'null' }] },
        price: { type: 'object', properties: { amount: name } },
      },
      additionalProperties: false,
    },
  });
  expect(
    JSON.stringify((described.components.schemas as object as { PartialCourse: object }).PartialCourse),
  ).not.toContain('required');
});

it('requires the parts of a page', () => {
  expect(described.components.schemas).toMatchObject({
    PartialCourseList: {
      properties: { data: { items: { $ref: '#/components/schemas/PartialCourse' } } },
      required: ['data', 'page'],
    },
  });
});

it('leaves the given document as it is', () => {
  expect(document.components.schemas).not.toHaveProperty('PartialCourse');
  expect(document.paths['/courses'].get.responses[200]).toEqual(content('CourseList'));
});
