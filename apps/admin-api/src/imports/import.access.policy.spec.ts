import { hiddenFrom, requireOptions, requireWriter } from './import.access.policy.js';
import { IMPORT_KINDS } from './import.kinds.js';
import { WRITERS } from './row-writers.js';

it.each([
  ['students', ['students:write'], ['admin'], undefined],
  ['categories', ['students:write', 'courses:write'], ['owner'], undefined],
  ['categories', ['students:write', 'courses:read'], ['owner'], 'insufficient_scope'],
  ['categories', ['courses:write'], ['lecturer'], 'forbidden'],
  ['lecturers', ['lecturers:write'], ['admin'], undefined],
  ['lecturers', ['courses:write'], ['owner'], 'insufficient_scope'],
  ['lecturers', ['lecturers:write'], ['teaching_assistant'], 'forbidden'],
  ['lecturers', undefined, undefined, undefined],
  ['courses', ['courses:write', 'curriculum:write'], ['owner'], undefined],
  ['courses', ['courses:write', 'curriculum:read'], ['owner'], 'insufficient_scope'],
  ['courses', ['curriculum:write'], ['owner'], 'insufficient_scope'],
  ['courses', ['courses:write', 'curriculum:write'], ['lecturer'], 'forbidden'],
  ['enrollments', ['students:write'], ['admin'], undefined],
  ['enrollments', ['students:write'], ['lecturer'], 'forbidden'],
] as const)('lets a caller import %s with the scopes %j and the roles %j, or refuses with %p', (...row) => {
  const [collection, scopes, roles, code] = row;
  const caller = { ...(scopes && { scopes: [...scopes] }), ...(roles && { roles: [...roles] }) };
  const start = (): void => requireWriter(collection, caller);
  if (code === undefined) expect(start).not.toThrow();
  else expect(start).toThrow(expect.objectContaining({ code }));
});

it.each([
  [undefined, []],
  [[], ['categories', 'lecturers', 'courses']],
  [['courses:read'], ['lecturers', 'courses']],
  [['courses:write', 'curriculum:read'], ['lecturers']],
  [['courses:write', 'lecturers:read'], ['courses']],
  [['courses:read', 'lecturers:read', 'curriculum:write'], []],
] as const)('hides from a caller with the scopes %j the imports of %j', (scopes, hidden) => {
  expect(hiddenFrom(scopes === undefined ? {} : { scopes: [...scopes] })).toEqual(hidden);
});

const none = { course_id: null, plan_id: null, send_welcome_email: false };

it.each([
  ['students', 'update_by_slug', {}, ['/mode']],
  ['students', 'update_by_email', { course_id: 'c', send_welcome_email: true }, []],
  ['categories', 'upsert_by_email', {}, ['/mode']],
  ['categories', 'upsert_by_slug', {}, []],
  ['lecturers', 'create_only', { course_id: 'c', plan_id: 'p' }, ['/course_id', '/plan_id']],
  ['lecturers', 'update_by_external_id', { send_welcome_email: true }, ['/send_welcome_email']],
  ['students', 'upsert_by_student_and_course', {}, ['/mode']],
  ['enrollments', 'upsert_by_email', { course_id: 'c' }, ['/mode', '/course_id']],
  ['enrollments', 'update_by_student_and_course', {}, []],
] as const)('imports %s in the mode %s with %j, or refuses %j', (collection, mode, more, pointers) => {
  const start = (): void => requireOptions({ collection, mode, ...none, ...more });
  if (pointers.length === 0) expect(start).not.toThrow();
  else {
    const errors = pointers.map((pointer) => expect.objectContaining({ pointer, code: 'invalid_value' }) as unknown);
    expect(start).toThrow(expect.objectContaining({ code: 'validation_failed', errors }));
  }
});

it('gives each kind a writer of its own', () => {
  expect(new Set(WRITERS).size).toBe(Object.keys(IMPORT_KINDS).length);
});
