import { Injectable } from '@nestjs/common';
import { openSecret, sealSecret } from './sealed-secret.js';
import { WebhookEndpointRepository } from './webhook-endpoint.repository.js';
import { WebhookSettings } from './webhook.settings.js';

/** Endpoints of one transaction. */
const BATCH = 100;
const NIL = '00000000-0000-0000-0000-000000000000';

/** Encrypts the secrets of all endpoints under the first key, so that the other keys can be removed. */
@Injectable()
export class SecretReEncryption {
  constructor(
    private readonly repository: WebhookEndpointRepository,
    private readonly settings: WebhookSettings,
  ) {}

  /** Returns the number of endpoints. */
  async run(): Promise<number> {
    let count = 0;
    for (let after: { site_id: string; id: string } | undefined = { site_id: NIL, id: NIL }; after !== undefined;) {
      const batch = await this.repository.reseal(after, BATCH, (key, sealed) =>
        sealSecret(this.settings, key, openSecret(this.settings, key, sealed)),
      );
      count += batch.length;
      after = batch.at(-1);
    }
    return count;
  }
}
