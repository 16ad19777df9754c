import {
  addsStudent,
  editOf,
  followRole,
  isEdit,
  isMeant,
  localPart,
  requireActiveStudent,
  requireUnerased,
} from './student.policy.js';
import type { KnownStudent, RoleNews } from './student.policy.js';

const student = (change: Partial<KnownStudent> = {}): KnownStudent => ({
  id: 'i',
  person_id: null,
  member_id: null,
  email: 'mei@example.com',
  state: 'active',
  ...change,
});
const news = (change: Partial<RoleNews> = {}): RoleNews => ({
  person_id: 'p',
  member_id: 'm',
  email: 'mei@example.com',
  name: 'Mei Lin',
  isStudent: true,
  wasStudent: true,
  student_id: null,
  ...change,
});

it.each<[string, Partial<KnownStudent>, Partial<RoleNews>, ReturnType<typeof followRole>]>([
  ['changes nothing without a difference', { person_id: 'p', member_id: 'm' }, {}, undefined],
  [
    'links again for the id of a member who was linked before',
    { person_id: 'p' },
    {},
    { changes: { person_id: 'p', member_id: 'm' }, event: 'linked' },
  ],
  ['changes nothing without the id of the member', { person_id: 'p' }, { member_id: null }, undefined],
  ['links the first event', {}, {}, { changes: { person_id: 'p', member_id: 'm' }, event: 'linked' }],
  [
    'keeps the state when a link has no role',
    {},
    { isStudent: false, wasStudent: false },
    { changes: { person_id: 'p', member_id: 'm' }, event: 'linked' },
  ],
  [
    'removes a student who lost the role',
    { person_id: 'p', member_id: 'm' },
    { isStudent: false },
    { changes: { state: 'removed' }, event: 'removed' },
  ],
  [
    'ignores the absence of a role that was not held',
    { person_id: 'p', member_id: 'm' },
    { isStudent: false, wasStudent: false },
    undefined,
  ],
  [
    'keeps a removed student removed',
    { person_id: 'p', member_id: 'm', state: 'removed' },
    { isStudent: false },
    undefined,
  ],
  [
    'restores a student who has the role again',
    { person_id: 'p', member_id: 'm', state: 'removed' },
    {},
    { changes: { state: 'active' }, event: 'updated' },
  ],
  [
    'follows a new address',
    { person_id: 'p', member_id: 'm' },
    { email: 'lin@example.com' },
    { changes: { email: 'lin@example.com' }, event: 'updated' },
  ],
  [
    'keeps the name at the school when the person has a new one',
    { person_id: 'p', member_id: 'm' },
    { name: 'Lin' },
    undefined,
  ],
])('%s', (_rule, row, word, update) => {
  expect(followRole(student(row), news(word))).toEqual(update);
});

it('changes nothing the second time', () => {
  const first = followRole(student(), news());
  expect(followRole(student(first?.changes ?? {}), news())).toBeUndefined();
});

it.each<[string, boolean, Partial<RoleNews>]>([
  ['the link to the person', false, {}],
  ['the link and another address', true, { email: 'lin@example.com' }],
  ['the link and another state', true, { isStudent: false }],
])('takes %s for an edit: %s', (_what, edits, word) => {
  const update = followRole(student(), news(word));
  expect(update && isEdit(update)).toBe(edits);
});

it('names a student without a name by the local part of the address', () => {
  expect([localPart('mei@example.com'), localPart('"a@b"@example.com')]).toEqual(['mei', '"a@b"']);
});

it('ends the link to the person with another address, and only with another', () => {
  expect(editOf({ email: 'lin@example.com' })).toEqual({ email: 'lin@example.com', person_id: null, member_id: null });
  expect(editOf({})).toEqual({});
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

it('refuses a removed student', () => {
  expect(() => requireActiveStudent('removed')).toThrow(expect.objectContaining({ code: 'invalid_state' }));
  expect(() => requireActiveStudent('active')).not.toThrow();
});

it('refuses an erased student and no other', () => {
  expect(() => requireUnerased({ email: 'm@deleted.invalid' })).toThrow(
    expect.objectContaining({ code: 'invalid_state' }),
  );
  for (const email of ['m@example.com', 'deleted.invalid@example.com', 'm@deleted.invalid.example.com']) {
    expect(() => requireUnerased({ email })).not.toThrow();
  }
});
