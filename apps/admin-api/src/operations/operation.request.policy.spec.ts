import type { FieldError } from '@lyceum/errors';
import type { ApiOperation } from './operation.js';
import { argumentError, requestTarget } from './operation.request.policy.js';

const parameter = (name: string, place: 'path' | 'query') => ({
  name,
  in: place,
  required: place === 'path',
  description: null,
  schema: {},
});

const GET_ENROLLMENT: ApiOperation = {
  operation_id: 'getEnrollment',
  summary: '',
  description: null,
  method: 'GET',
  path: '/api/v1/students/{student_id}/enrollments/{enrollment_id}',
  scopes: [],
  scope: '',
  parameters: [parameter('student_id', 'path'), parameter('enrollment_id', 'path'), parameter('fields', 'query')],
};
const path = { student_id: 'a-1', enrollment_id: 'b_2' };

it('joins the path and the query', () => {
  const query = { fields: ['id', 'state'], q: 'a&b=c#d', n: 1, flag: true };
  expect(requestTarget(GET_ENROLLMENT, { path, query })).toBe(
    '/api/v1/students/a-1/enrollments/b_2?fields=id%2Cstate&q=a%26b%3Dc%23d&n=1&flag=true',
  );
  expect(requestTarget(GET_ENROLLMENT, { path, query: {} })).toBe('/api/v1/students/a-1/enrollments/b_2');
});

it.each([
  ['crm:1042', 'crm%3A1042'],
  ['a/b', 'a%2Fb'],
  ['../b', '..%2Fb'],
  ['a?b#c', 'a%3Fb%23c'],
  ['%2e%2e', '%252e%252e'],
  ['a b', 'a%20b'],
  ['ä\\', '%C3%A4%5C'],
  ['...', '...'],
])('encodes %j in a path', (student_id, encoded) => {
  expect(requestTarget(GET_ENROLLMENT, { path: { ...path, student_id }, query: {} })).toBe(
    `/api/v1/students/${encoded}/enrollments/b_2`,
  );
});

const STRAY = ['', '..', '.', '\ud800'];

it.each<[Record<string, string>, string, string]>([
  [{ student_id: 'a' }, 'enrollment_id', 'required'],
  [{ ...path, more: 'x' }, 'more', 'unknown_member'],
  ...STRAY.map((student_id): [Record<string, string>, string, string] => [
    { ...path, student_id },
    'student_id',
    'invalid_format',
  ]),
])('refuses the path %j because of %s', (given, name, code) => {
  expect(() => requestTarget(GET_ENROLLMENT, { path: given, query: {} })).toThrow(
    expect.objectContaining({
      code: 'validation_failed',
      errors: [{ pointer: `/arguments_json/path/${name}`, code, detail: expect.any(String) }],
    }),
  );
});

it('lists at most twenty errors of a path and cuts long names', () => {
  const many = Array.from({ length: 10_000 }, (_none, i) => [`${'k'.repeat(1_000)}${i}`, 'x']);
  const given = { path: { ...path, ...(Object.fromEntries(many) as Record<string, string>) }, query: {} };
  expect(() => requestTarget(GET_ENROLLMENT, given)).toThrow(
    expect.objectContaining({
      errors: Array.from({ length: 20 }, () =>
        expect.objectContaining({ pointer: `/arguments_json/path/${'k'.repeat(100)}` }),
      ),
    }),
  );
});

const OF_BODY = { path: { id: 'a' }, body: { name: '', id: 'b' } };
const OF_PATH = { path: { external_id: 'a' }, body: { name: '' } };

it.each<[string, Pick<FieldError, 'pointer' | 'parameter'>, Parameters<typeof argumentError>[1], string]>([
  ['the body', { pointer: '' }, OF_BODY, '/arguments_json/body'],
  ['a member of the body', { pointer: '/name' }, OF_BODY, '/arguments_json/body/name'],
  ['a member with the name of a parameter of the path', { pointer: '/id' }, OF_BODY, '/arguments_json/body/id'],
  ['a parameter of the path', { pointer: '/external_id' }, OF_PATH, '/arguments_json/path/external_id'],
  ['a parameter of the path without a body', { pointer: '/id' }, { path: { id: 'a' } }, '/arguments_json/path/id'],
  ['a parameter of the query', { parameter: 'limit' }, { path: {} }, '/arguments_json/query/limit'],
  ['a parameter with a slash', { parameter: 'a/b~' }, { path: {} }, '/arguments_json/query/a~1b~0'],
  ['the idempotency key', { parameter: 'Idempotency-Key' }, OF_BODY, '/idempotency_key'],
])('names %s as an argument of the tool', (_what, place, args, pointer) => {
  const error = { code: 'invalid_value', detail: 'Not acceptable' } as const;
  expect(argumentError({ ...place, ...error } as FieldError, args)).toEqual({ ...error, pointer });
});
