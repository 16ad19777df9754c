import { heldBy, previousOf } from './page-deployment.policy.js';

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
