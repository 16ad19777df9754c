import type { Student } from './student.entity.js';
import { decideRow } from './student-import.policy.js';
import type { StudentImportMode, StudentRow } from './student-import.policy.js';

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
const none = { byEmail: undefined, byExternalId: undefined };
const rule = (mode: StudentImportMode, enrolls = false) => ({ mode, enrolls });

it('adds a student without a name by the local part of the address', () => {
  expect(decideRow(row(), none, rule('create_only'))).toEqual({
    kind: 'created',
    values: { email: 'mei@example.com', name: 'mei' },
  });
});

it.each<[StudentImportMode, 'email' | 'external_id', 'byEmail' | 'byExternalId', string]>([
  ['create_only', 'email', 'byEmail', 'i'],
  ['create_only', 'external_id', 'byExternalId', 'i'],
  ['upsert_by_email', 'external_id', 'byExternalId', 'j'],
  ['upsert_by_external_id', 'email', 'byEmail', 'j'],
])('refuses in the mode %s the %s of another student', (mode, member, key, id) => {
  const known = { byEmail: student(), byExternalId: student(), [key]: student({ id }) };
  const given = mode === 'create_only' ? { ...none, [key]: student({ id }) } : known;
  expect(decideRow(row({ external_id: 'x' }), given, rule(mode))).toMatchObject({
    kind: 'refused',
    refusal: { pointer: `/${member}`, code: 'already_exists' },
  });
});

it('changes the fields that the row names and no other', () => {
  const known = { byEmail: student(), byExternalId: undefined };
  const decision = decideRow(row({ name: 'Lin', metadata: { b: '2' } }), known, rule('upsert_by_email'));
  expect(decision).toMatchObject({ kind: 'updated', changes: { name: 'Lin', metadata: { a: '1', b: '2' } } });
});

it('skips a student who has all values', () => {
  const known = { byEmail: student(), byExternalId: student() };
  expect(decideRow(row({ external_id: 'x' }), known, rule('upsert_by_email'))).toMatchObject({ kind: 'skipped' });
});

it('refuses another address for an erased student', () => {
  const known = { byEmail: undefined, byExternalId: student({ email: 'm@deleted.invalid', state: 'removed' }) };
  expect(decideRow(row({ external_id: 'x' }), known, rule('upsert_by_external_id'))).toMatchObject({
    kind: 'refused',
    refusal: { code: 'invalid_state' },
  });
});

it('ends the link to the person with another address', () => {
  const known = { byEmail: undefined, byExternalId: student() };
  const decision = decideRow(row({ email: 'lin@example.com', external_id: 'x' }), known, rule('upsert_by_external_id'));
  expect(decision).toMatchObject({ changes: { email: 'lin@example.com', person_id: null, member_id: null } });
});

it('refuses to enroll a removed student, and more metadata than a student has', () => {
  const removed = { byEmail: student({ state: 'removed' }), byExternalId: undefined };
  expect(decideRow(row(), removed, rule('upsert_by_email', true))).toMatchObject({
    refusal: { pointer: '', code: 'invalid_state' },
  });
  expect(decideRow(row(), removed, rule('upsert_by_email'))).toMatchObject({ kind: 'skipped' });
  const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, 'v']));
  const known = { byEmail: student(), byExternalId: undefined };
  expect(decideRow(row({ metadata }), known, rule('upsert_by_email'))).toMatchObject({
    refusal: { pointer: '/metadata', code: 'invalid_value' },
  });
});
