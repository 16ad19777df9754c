import type { Student } from './student.entity.js';
import type { ImportMode } from '#src/import-rows/import-mode.js';
import { decideStudent } from './student-import.policy.js';
import type { StudentRow } from './student-import.policy.js';

const student = (change: Partial<Student> = {}): Student =>
  ({
    id: 'i',
    email: 'mei@example.com',
    name: 'Mei',
    state: 'active',
    external_id: 'x',
    person_id: 'p',
    member_id: 'm',
    tags: [],
    metadata: { a: '1' },
    ...change,
  }) as Student;

const row = (change: Partial<StudentRow> = {}): StudentRow => ({ email: 'mei@example.com', ...change });
const none = { email: undefined, external_id: undefined };
const rule = (mode: ImportMode, enrolls = false) => ({ mode, enrolls });

it('adds a student without a name by the local part of the address', () => {
  expect(decideStudent(row(), none, rule('create_only'))).toEqual({
    kind: 'created',
    values: { email: 'mei@example.com', name: 'mei' },
  });
});

it.each<[ImportMode, 'email' | 'external_id', string]>([
  ['create_only', 'email', 'i'],
  ['create_only', 'external_id', 'i'],
  ['upsert_by_email', 'external_id', 'j'],
  ['upsert_by_external_id', 'email', 'j'],
  ['update_by_email', 'external_id', 'j'],
])('refuses in the mode %s the %s of another student', (mode, member, id) => {
  const known = { email: student(), external_id: student(), [member]: student({ id }) };
  const given = mode === 'create_only' ? { ...none, [member]: student({ id }) } : known;
  expect(decideStudent(row({ external_id: 'x' }), given, rule(mode))).toMatchObject({
    kind: 'refused',
    refusal: { pointer: `/${member}`, code: 'already_exists' },
  });
});

it('changes the fields that the row names and no other', () => {
  const known = { email: student(), external_id: undefined };
  const decision = decideStudent(row({ name: 'Lin', metadata: { b: '2' } }), known, rule('upsert_by_email'));
  expect(decision).toMatchObject({ kind: 'updated', changes: { name: 'Lin', metadata: { a: '1', b: '2' } } });
});

it.each<[ImportMode, StudentRow, string]>([
  ['update_by_email', row(), '/email'],
  ['update_by_external_id', { external_id: 'x', name: 'Lin' }, '/external_id'],
])('refuses in the mode %s a student who does not exist', (mode, values, pointer) => {
  expect(decideStudent(values, none, rule(mode))).toMatchObject({
    kind: 'refused',
    refusal: { pointer, code: 'not_found' },
  });
});

it('changes a student whom a row without an address names by external id', () => {
  const known = { email: undefined, external_id: student() };
  const decision = decideStudent({ external_id: 'x', name: 'Lin' }, known, rule('update_by_external_id'));
  expect(decision).toMatchObject({ kind: 'updated', changes: { name: 'Lin' } });
});

it('skips a student who has all values', () => {
  const known = { email: student(), external_id: student() };
  expect(decideStudent(row({ external_id: 'x' }), known, rule('upsert_by_email'))).toMatchObject({ kind: 'skipped' });
});

it('refuses another address for an erased student', () => {
  const known = { email: undefined, external_id: student({ email: 'm@deleted.invalid', state: 'removed' }) };
  expect(decideStudent(row({ external_id: 'x' }), known, rule('upsert_by_external_id'))).toMatchObject({
    kind: 'refused',
    refusal: { code: 'invalid_state' },
  });
});

it('ends the link to the person with another address', () => {
  const known = { email: undefined, external_id: student() };
  const decision = decideStudent(
    row({ email: 'lin@example.com', external_id: 'x' }),
    known,
    rule('upsert_by_external_id'),
  );
  expect(decision).toMatchObject({ changes: { email: 'lin@example.com', person_id: null, member_id: null } });
});

it('refuses to enroll a removed student, and more metadata than a student has', () => {
  const removed = { email: student({ state: 'removed' }), external_id: undefined };
  expect(decideStudent(row(), removed, rule('upsert_by_email', true))).toMatchObject({
    refusal: { pointer: '', code: 'invalid_state' },
  });
  expect(decideStudent(row(), removed, rule('upsert_by_email'))).toMatchObject({ kind: 'skipped' });
  const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, 'v']));
  const known = { email: student(), external_id: undefined };
  expect(decideStudent(row({ metadata }), known, rule('upsert_by_email'))).toMatchObject({
    refusal: { pointer: '/metadata', code: 'invalid_value' },
  });
});
