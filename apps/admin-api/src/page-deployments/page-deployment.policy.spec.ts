import { ApiError } from '@lyceum/errors';
import { BundleRefusal } from '#src/page-bundles/bundle-refusal.js';
import { DEPLOYMENT_STATES, faultsOf, heldBy, previousOf, requirePromotable } from './page-deployment.policy.js';

const [live, before] = ['live', 'before'];

it('keeps the live deployment and the one before it', () => {
  expect(heldBy({ live_deployment_id: null, previous_deployment_id: null })).toEqual([]);
  expect(heldBy({ live_deployment_id: live, previous_deployment_id: null })).toEqual([live]);
  expect(heldBy({ live_deployment_id: live, previous_deployment_id: before })).toEqual([live, before]);
});

it('rolls back from the live deployment to the one before it, and from no other', () => {
  const page = { live_deployment_id: live, previous_deployment_id: before };
  expect(previousOf(live, page)).toBe(before);
  const refused = expect.objectContaining({ code: 'invalid_state' });
  expect(() => previousOf(before, page)).toThrow(refused);
  expect(() => previousOf(live, { ...page, previous_deployment_id: null })).toThrow(refused);
  expect(() => previousOf(live, { live_deployment_id: null, previous_deployment_id: null })).toThrow(refused);
});

it('reads the faults of a zip file and of the quota, and of no other error', () => {
  const fault = { code: 'index_missing', path: null, detail: 'No index' } as const;
  expect(faultsOf(new BundleRefusal([fault]))).toEqual([fault]);
  expect(faultsOf(new ApiError('quota_exceeded', 'Full'))).toEqual([
    { code: 'quota_exceeded', path: null, detail: 'Full' },
  ]);
  for (const other of [new ApiError('temporarily_unavailable', 'Gone'), new Error('Gone'), undefined])
    expect(faultsOf(other)).toBeUndefined();
});

it('refuses the promotion of a deployment that failed, and of no other', () => {
  for (const state of DEPLOYMENT_STATES.filter((one) => one !== 'failed'))
    expect(() => requirePromotable(state)).not.toThrow();
  expect(() => requirePromotable('failed')).toThrow(expect.objectContaining({ code: 'invalid_state' }));
});
