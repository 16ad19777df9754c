import type { SecretKeys } from '@lyceum/platform';

/** Settings of webhooks of the deployment. */
export class WebhookSettings {
  constructor(
    /** Encrypt the secrets of endpoints. */
    readonly keys: SecretKeys,
    /** True when endpoints may have http URLs and private addresses, for development and tests. */
    readonly localTargets: boolean,
    readonly endpointsPerSite: number,
  ) {}
}
