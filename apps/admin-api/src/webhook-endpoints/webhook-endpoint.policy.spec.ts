import type { MemberState, Role } from '@lyceum/contracts';
import {
  claimed,
  disabled,
  enabled,
  keepsEndpoints,
  paused,
  requireReadable,
  requireRoom,
  requireTarget,
} from './webhook-endpoint.policy.js';

const ENABLED = { state: 'enabled', reason: null } as const;
const DISABLED = { state: 'disabled', reason: 'gone' } as const;
const PAUSED = { state: 'paused', reason: 'client_deleted' } as const;
const UNCLAIMED = { state: 'disabled', reason: 'client_deleted' } as const;
const withCode = (code: string) => expect.objectContaining({ code });

it('accepts endpoints up to the limit of the site', () => {
  expect(() => requireRoom(19, 20)).not.toThrow();
  expect(() => requireRoom(20, 20)).toThrow(withCode('invalid_state'));
});

it.each([
  ['https://example.com/hook?a=b', false, true],
  ['http://example.com/hook', false, false],
  ['http://127.0.0.1:8080/hook', true, true],
  ['https://user@example.com/', true, false],
  ['https://:word@example.com/', true, false],
  ['https://example.com/#part', true, false],
])('accepts the URL %s, with local targets %p: %p', (url, localTargets, accepted) => {
  const require = () => requireTarget(url, { localTargets });
  if (accepted) expect(require).not.toThrow();
  else expect(require).toThrow(withCode('validation_failed'));
});

it('requires the read scope of each type', () => {
  expect(() => requireReadable(['order.paid', 'order.refunded'], ['orders:read'])).not.toThrow();
  expect(() => requireReadable(['order.paid'], undefined)).not.toThrow();
  expect(() => requireReadable(['webhook.test'], [])).not.toThrow();
  expect(() => requireReadable(['order.paid', 'member.invited', 'course.created'], ['orders:read'])).toThrow(
    expect.objectContaining({ code: 'insufficient_scope', scopes: ['courses:read', 'members:read'] }),
  );
});

it.each([
  ['active', ['owner'], true],
  ['active', ['admin', 'student'], true],
  ['active', ['lecturer'], false],
  ['active', [], false],
  ['suspended', ['owner'], false],
  ['removed', [], false],
] as [MemberState, Role[], boolean][])('keeps endpoints of a member who is %s with the roles %j: %p', (...row) => {
  const [state, roles, keeps] = row;
  expect(keepsEndpoints({ state, roles })).toBe(keeps);
});

it('moves between the states', () => {
  expect(enabled(DISABLED)).toEqual(ENABLED);
  expect(enabled(ENABLED)).toBeUndefined();
  for (const without of [PAUSED, UNCLAIMED]) {
    const refusal = { code: 'invalid_state', hint: 'Claim it' };
    expect(() => enabled(without)).toThrow(expect.objectContaining(refusal));
  }
  expect(disabled(ENABLED, 'failing')).toEqual({ state: 'disabled', reason: 'failing' });
  expect(disabled(DISABLED, 'requested')).toBeUndefined();
  expect(disabled(UNCLAIMED, 'requested')).toBeUndefined();
  expect(() => disabled(PAUSED, 'requested')).toThrow(withCode('invalid_state'));
  expect(paused(ENABLED, 'creator_lost_access')).toEqual({ state: 'paused', reason: 'creator_lost_access' });
  expect(paused(DISABLED, 'client_deleted')).toEqual(UNCLAIMED);
  expect(paused(PAUSED, 'creator_lost_access')).toBeUndefined();
  expect(paused(UNCLAIMED, 'creator_lost_access')).toBeUndefined();
});

it('gives a claimed endpoint the member and client of the request, and wakes a paused one', () => {
  const by = { member_id: 'two', client_id: 'crm' };
  const owned = { created_by: 'two', client_id: 'crm' };
  expect(claimed({ ...PAUSED, created_by: 'one', client_id: 'crm' }, by)).toEqual({ ...owned, ...ENABLED });
  expect(claimed({ ...PAUSED, ...owned }, by)).toEqual({ ...owned, ...ENABLED });
  expect(claimed({ ...DISABLED, created_by: 'one', client_id: 'crm' }, by)).toEqual(owned);
  expect(claimed({ ...UNCLAIMED, created_by: 'one', client_id: 'crm' }, by)).toEqual({ ...owned, reason: 'requested' });
  expect(claimed({ ...UNCLAIMED, ...owned }, by)).toEqual({ ...owned, reason: 'requested' });
  expect(claimed({ ...ENABLED, created_by: 'two', client_id: 'old' }, by)).toEqual(owned);
  expect(claimed({ ...ENABLED, ...owned }, by)).toBeUndefined();
});
