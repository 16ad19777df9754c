import { ApiError } from '@lyceum/errors';

export const DEPLOYMENT_STATES = ['ready', 'live', 'superseded'] as const;
export type DeploymentState = (typeof DEPLOYMENT_STATES)[number];

/** The newest deployments of a page stay, and the sweep of a new one deletes the others. */
export const KEPT_DEPLOYMENTS = 10;

interface LiveDeployments {
  readonly live_deployment_id: string | null;
  readonly previous_deployment_id: string | null;
}

/** Deployments that a sweep keeps at any age. */
export function heldBy({ live_deployment_id, previous_deployment_id }: LiveDeployments): readonly string[] {
  return [live_deployment_id, previous_deployment_id].filter((id) => id !== null);
}

/**
 * Returns the deployment that was live before this one.
 *
 * @throws `invalid_state` for a deployment that is not live, or has none before it
 */
export function previousOf(id: string, { live_deployment_id, previous_deployment_id }: LiveDeployments): string {
  if (id !== live_deployment_id)
    throw new ApiError('invalid_state', 'The deployment is not live', {
      hint: 'Roll back the deployment that live_deployment_id of the page names',
    });
  if (previous_deployment_id === null)
    throw new ApiError('invalid_state', 'No deployment was live before this one', {
      hint: 'Promote another deployment of the page',
    });
  return previous_deployment_id;
}
