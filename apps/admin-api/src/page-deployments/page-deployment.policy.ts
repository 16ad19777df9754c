import { ApiError } from '@lyceum/errors';
import { BUNDLE_FAULTS, BundleRefusal } from '#src/page-bundles/bundle-refusal.js';
import type { BundleFault } from '#src/page-bundles/bundle-refusal.js';

export const DEPLOYMENT_STATES = ['queued', 'ready', 'live', 'superseded', 'failed'] as const;
export type DeploymentState = (typeof DEPLOYMENT_STATES)[number];

/** Why a deployment failed. */
export const DEPLOYMENT_FAULTS = [...BUNDLE_FAULTS, 'quota_exceeded', 'internal'] as const;

export interface DeploymentFault extends Omit<BundleFault, 'code'> {
  readonly code: (typeof DEPLOYMENT_FAULTS)[number];
}

export const INTERNAL_FAULT: DeploymentFault = {
  code: 'internal',
  path: null,
  detail: 'The zip file could not be read: deploy it again',
};

/** Returns the faults of an unusable zip file; undefined for another error, after which a later attempt may succeed. */
export function faultsOf(error: unknown): readonly DeploymentFault[] | undefined {
  if (error instanceof BundleRefusal) return error.faults;
  if (!(error instanceof ApiError) || error.code !== 'quota_exceeded') return undefined;
  return [{ code: 'quota_exceeded', path: null, detail: error.message }];
}

/** @throws `invalid_state` for a deployment that failed */
export function requirePromotable(state: DeploymentState): void {
  if (state === 'failed') throw refusedPromotion();
}

/** The error of the promotion of a deployment whose zip file is unusable. */
export function refusedPromotion(): ApiError {
  return new ApiError('invalid_state', 'The zip file of the deployment cannot be shown', {
    hint: 'faults of the deployment name what to change: deploy another zip file',
  });
}

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
