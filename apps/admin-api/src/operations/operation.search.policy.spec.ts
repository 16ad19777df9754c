import type { ApiOperation } from './operation.js';
import { rankOperations } from './operation.search.policy.js';

const operation = (operation_id: string, summary: string, path: string, description: string | null): ApiOperation => ({
  operation_id,
  summary,
  description,
  method: 'GET',
  path,
  scopes: [],
  scope: '',
  parameters: [],
});

const ALL = [
  operation('createCourse', 'Create a course', '/api/v1/courses', 'The new course is a draft.'),
  operation('listCourses', 'List courses', '/api/v1/courses', null),
  operation(
    'revokeEnrollment',
    'Revoke an enrollment',
    '/api/v1/students/{id}/enrollments/{id}/revoke',
    'Ends access.',
  ),
];

it.each([
  [undefined, ['createCourse', 'listCourses', 'revokeEnrollment']],
  ['create a course', ['createCourse', 'listCourses']],
  ['an', ['revokeEnrollment']],
  ['REVOKE', ['revokeEnrollment']],
  ['enroll', ['revokeEnrollment']],
  ['list course', ['listCourses', 'createCourse']],
  ['draft', ['createCourse']],
  ['ours', []],
  ['sign up', ['revokeEnrollment']],
  ['register somebody', ['revokeEnrollment']],
  ['remove enrollment', ['revokeEnrollment']],
  ['add a class', ['createCourse', 'listCourses']],
  ['show classes', ['listCourses', 'createCourse']],
  ['?!', []],
])('finds by %j the operations %j in this order', (q, found) => {
  expect(rankOperations(ALL, q).map((one) => one.operation.operation_id)).toEqual(found);
});

it('finds the operation on one object before that on many, for a singular', () => {
  const one = operation('updateCourse', 'Update a course', '/api/v1/courses/{id}', null);
  const many = operation('updateCourses', 'Update courses', '/api/v1/courses/bulk', 'Each as "Update a course" does.');
  const found = (q: string) => rankOperations([many, one], q)[0]?.operation.operation_id;
  expect([found('update a course'), found('update courses')]).toEqual(['updateCourse', 'updateCourses']);
});

it('orders by rank and id as texts, from which a cursor continues', () => {
  const ranked = rankOperations(ALL, 'course list revoke').map((one) => `${one.rank} ${one.operation.operation_id}`);
  expect(ranked).toHaveLength(3);
  expect(ranked).toEqual(ranked.toSorted());
});
