import { SigningKey } from '@lyceum/platform';
import type { SecretKeys } from '@lyceum/platform';

export interface Unsubscription {
  readonly person_id: string;
  readonly subscription_id: string;
}

export const UNSUBSCRIBE_PATH = '/member/unsubscribe';

const ID_BYTES = 16;
const TIME_BYTES = 4;
/** Seconds for which the page after an unsubscription can reverse it. */
export const UNDO_SECONDS = 3_600;

const secondsAt = (instant: number): number => Math.floor(instant / 1_000);

function subscriptionIn(ids: Buffer): Unsubscription {
  const id = (from: number): string =>
    ids.toString('hex', from, from + ID_BYTES).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return { person_id: id(0), subscription_id: id(ID_BYTES) };
}

const idsOf = ({ person_id, subscription_id }: Unsubscription): Buffer =>
  Buffer.from(`${person_id}${subscription_id}`.replaceAll('-', ''), 'hex');

/**
 * Unsubscribe links in mails. A link contains the person and the subscription, signed for one site. As RFC 8058
 * requires, it works without signing in and any number of times. It can only unsubscribe. The page after it has a token
 * of its own that reverses this, for an hour.
 */
export class UnsubscribeLinks {
  constructor(private readonly keys: SecretKeys) {}

  write(site: { site_id: string; base_url: string }, unsubscription: Unsubscription): string {
    const token = this.#key(site).seal(idsOf(unsubscription));
    return `${site.base_url}${UNSUBSCRIBE_PATH}?token=${token}`;
  }

  /** Undefined for a token that was not signed for the site. */
  read(site: { site_id: string }, token: unknown): Unsubscription | undefined {
    const ids = typeof token === 'string' ? this.#key(site).open(token) : undefined;
    return ids?.length === 2 * ID_BYTES ? subscriptionIn(ids) : undefined;
  }

  /** The token that reverses an unsubscription of this moment. */
  undoToken(site: { site_id: string }, unsubscription: Unsubscription, now = Date.now()): string {
    const time = Buffer.alloc(TIME_BYTES);
    time.writeUInt32BE(secondsAt(now));
    return this.#key(site, 'unsubscribe-undo.v1').seal(Buffer.concat([idsOf(unsubscription), time]));
  }

  /** Undefined for a token that was not made for the site, or an hour ago. */
  readUndo(site: { site_id: string }, token: unknown, now = Date.now()): Unsubscription | undefined {
    const bytes = typeof token === 'string' ? this.#key(site, 'unsubscribe-undo.v1').open(token) : undefined;
    if (bytes?.length !== 2 * ID_BYTES + TIME_BYTES) return undefined;
    const age = secondsAt(now) - bytes.readUInt32BE(2 * ID_BYTES);
    return age >= 0 && age < UNDO_SECONDS ? subscriptionIn(bytes) : undefined;
  }

  #key({ site_id }: { site_id: string }, purpose = 'unsubscribe.v1'): SigningKey {
    return new SigningKey(this.keys, purpose, site_id);
  }
}
