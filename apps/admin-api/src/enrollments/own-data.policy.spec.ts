import { changedOwn, ownDataAfter, ownDataOf } from './own-data.policy.js';
import type { OwnData } from './own-data.policy.js';

const KEYED: OwnData = { external_id: 'a', metadata: { cohort: 'evening' } };
const NONE = ownDataOf(undefined);
const known = { id: 'e1', other: undefined };

it('gives a new enrollment the data of the request', () => {
  const enrolled = { id: undefined, isRepeated: false, other: undefined };
  expect(ownDataAfter(NONE, KEYED, enrolled)).toEqual(KEYED);
  expect(ownDataAfter(NONE, {}, enrolled)).toEqual({ external_id: null, metadata: {} });
});

it.each([
  [NONE, KEYED, KEYED],
  [KEYED, {}, KEYED],
  [KEYED, { external_id: null, metadata: {} }, KEYED],
  [KEYED, { external_id: 'a', metadata: { room: '1' } }, { external_id: 'a', metadata: { room: '1' } }],
])('keeps of %j what a request for access again with %j does not name', (before, request, after) => {
  expect(ownDataAfter(before, request, { ...known, isRepeated: false })).toEqual(after);
});

it.each([
  [KEYED, {}],
  [KEYED, { external_id: 'a', metadata: { room: '1' } }],
  [NONE, { metadata: { room: '1' } }],
])('leaves %j to a repeated request with %j', (before, request) => {
  expect(ownDataAfter(before, request, { ...known, isRepeated: true })).toBe(before);
});

it.each([
  ['a repetition', NONE, true],
  ['a repetition', KEYED, true],
  ['access again', KEYED, false],
])('refuses another external id for %s of %j', (_what, before, isRepeated) => {
  const refused = expect.objectContaining({
    code: 'already_exists',
    errors: [expect.objectContaining({ pointer: '/external_id', id: 'e1' })],
  });
  expect(() => ownDataAfter(before, { external_id: 'b' }, { ...known, isRepeated })).toThrow(refused);
});

it.each([true, false])('refuses the external id of another enrollment, repeated: %s', (isRepeated) => {
  const refused = expect.objectContaining({
    code: 'already_exists',
    errors: [expect.objectContaining({ pointer: '/external_id', id: 'e2' })],
  });
  const enrolled = { ...known, isRepeated, other: { id: 'e2' } };
  expect(() => ownDataAfter(KEYED, { external_id: 'b' }, enrolled)).toThrow(refused);
});

it('names the members that differ', () => {
  expect(changedOwn(KEYED, { ...KEYED, metadata: { cohort: 'evening' } })).toEqual([]);
  expect(changedOwn(KEYED, { external_id: 'b', metadata: {} })).toEqual(['external_id', 'metadata']);
});
