import { SigningKey } from '@lyceum/platform';
import type { SecretKeys } from '@lyceum/platform';

export interface Unsubscription {
  readonly person_id: string;
  readonly subscription_id: string;
}

export const UNSUBSCRIBE_PATH = '/member/unsubscribe';

const ID_BYTES = 16;

/**
 * Unsubscribe links in mails. A link contains the person and the subscription, signed for one site. As RFC 8058
 * requires, it works without signing in and any number of times. It can only unsubscribe.
 */
export class UnsubscribeLinks {
  constructor(private readonly keys: SecretKeys) {}

  write(site: { site_id: string; base_url: string }, { person_id, subscription_id }: Unsubscription): string {
    const ids = Buffer.from(`${person_id}${subscription_id}`.replaceAll('-', ''), 'hex');
    const token = this.#key(site).seal(ids);
    return `${site.base_url}${UNSUBSCRIBE_PATH}?token=${token}`;
  }

  /** Undefined for a token that was not signed for the site. */
  read(site: { site_id: string }, token: unknown): Unsubscription | undefined {
    const ids = typeof token === 'string' ? this.#key(site).open(token) : undefined;
    if (ids?.length !== 2 * ID_BYTES) return undefined;
    const id = (from: number): string =>
      ids.toString('hex', from, from + ID_BYTES).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    return { person_id: id(0), subscription_id: id(ID_BYTES) };
  }

  #key({ site_id }: { site_id: string }): SigningKey {
    return new SigningKey(this.keys, 'unsubscribe.v1', site_id);
  }
}
