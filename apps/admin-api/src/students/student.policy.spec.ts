import type { Student } from './student.entity.js';
import { addsStudent, changedColumns, followRole, isMeant, localPart } from './student.policy.js';
import type { RoleNews } from './student.policy.js';

const student = (change: Partial<Student> = {}): Student => ({
  site_id: 's',
  id: 'i',
  person_id: null,
  email: 'mei@example.com',
  name: 'Mei',
  phone_number: null,
  avatar_url: null,
  locale: null,
  state: 'active',
  tags: ['a'],
  external_id: null,
  enrollments_count: 0,
  version: 1,
  revision: 1,
  created_at: new Date(0),
  updated_at: new Date(0),
  ...change,
});
const news = (change: Partial<RoleNews> = {}): RoleNews => ({
  person_id: 'p',
  email: 'mei@example.com',
  name: 'Mei Lin',
  isStudent: true,
  wasStudent: true,
  student_id: null,
  ...change,
});

it.each<[string, Partial<Student>, Partial<RoleNews>, ReturnType<typeof followRole>]>([
  ['nothing new changes nothing', { person_id: 'p' }, {}, null],
  ['a first word links', {}, {}, { changes: { person_id: 'p' }, event: 'linked' }],
  [
    'a link without the role keeps the state',
    {},
    { isStudent: false, wasStudent: false },
    { changes: { person_id: 'p' }, event: 'linked' },
  ],
  [
    'a lost role removes',
    { person_id: 'p' },
    { isStudent: false },
    { changes: { state: 'removed' }, event: 'removed' },
  ],
  ['a role that was not held cannot be lost', { person_id: 'p' }, { isStudent: false, wasStudent: false }, null],
  ['removed stays removed', { person_id: 'p', state: 'removed' }, { isStudent: false }, null],
  [
    'a role that is given again brings back',
    { person_id: 'p', state: 'removed' },
    {},
    { changes: { state: 'active' }, event: 'updated' },
  ],
  [
    'a new address is followed',
    { person_id: 'p' },
    { email: 'lin@example.com' },
    { changes: { email: 'lin@example.com' }, event: 'updated' },
  ],
  ['a new name is the person’s, not the school’s', { person_id: 'p' }, { name: 'Lin' }, null],
])('%s', (_rule, row, word, update) => {
  expect(followRole(student(row), news(word))).toEqual(update);
});

it('following twice changes nothing the second time', () => {
  const first = followRole(student(), news());
  expect(followRole(student(first?.changes ?? {}), news())).toBeNull();
});

it('a patch names only the columns that get another value', () => {
  expect(changedColumns(student(), { name: 'Mei', tags: ['a'], locale: null })).toEqual({});
  expect(changedColumns(student(), { name: 'Lin', tags: null })).toEqual({ name: 'Lin', tags: [] });
});

it('a student without a name is called by the part before the @', () => {
  expect([localPart('mei@example.com'), localPart('"a@b"@example.com')]).toEqual(['mei', '"a@b"']);
});

it('ends the link to the person with another address, and only with another', () => {
  const linked = student({ person_id: 'p' });
  expect(changedColumns(linked, { email: 'lin@example.com' })).toEqual({ email: 'lin@example.com', person_id: null });
  expect(changedColumns(linked, { email: 'mei@example.com' })).toEqual({});
});

it.each<[string, Partial<RoleNews>, boolean]>([
  ['a role that auth has just given', { wasStudent: false }, true],
  ['a role that the person had before', {}, false],
  ['a role that follows a student of the school', { wasStudent: false, student_id: 'i' }, false],
  ['another role', { wasStudent: false, isStudent: false }, false],
])('adds a student for %s: %#', (_what, word, adds) => {
  expect(addsStudent(news(word))).toBe(adds);
});

it.each<[string, Partial<RoleNews>, boolean]>([
  ['the address of the student', {}, true],
  ['the address and the id of the student', { student_id: 'i' }, true],
  ['the address that the student had before', { student_id: 'i', email: 'typo@example.com' }, false],
  ['the id of another student', { student_id: 'j' }, false],
])('matches a role by %s: %#', (_what, word, meant) => {
  expect(isMeant(student(), news(word))).toBe(meant);
});
