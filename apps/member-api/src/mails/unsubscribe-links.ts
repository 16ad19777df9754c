import { createHmac, timingSafeEqual } from 'node:crypto';

export interface Unsubscription {
  readonly person_id: string;
  readonly subscription_id: string;
}

export const UNSUBSCRIBE_PATH = '/member/unsubscribe';

const ID_BYTES = 16;
const TAG_BYTES = 16;
const TOKEN = /^[A-Za-z0-9_-]{64}$/;

/**
 * The links in mails that end them: whose and which subscription, signed for one site. Whoever has the mail may use it, as
 * RFC 8058 wants it: without signing in, as often as they like. It can do nothing but end such mails.
 */
export class UnsubscribeLinks {
  constructor(private readonly key: Buffer) {}

  write(site: { site_id: string; base_url: string }, { person_id, subscription_id }: Unsubscription): string {
    const ids = Buffer.from(`${person_id}${subscription_id}`.replaceAll('-', ''), 'hex');
    const token = Buffer.concat([ids, this.#tag(site.site_id, ids)]).toString('base64url');
    return `${site.base_url}${UNSUBSCRIBE_PATH}?token=${token}`;
  }

  /** Undefined for anything that was not written for the site. */
  read(site: { site_id: string }, token: unknown): Unsubscription | undefined {
    if (typeof token !== 'string' || !TOKEN.test(token)) return undefined;
    const bytes = Buffer.from(token, 'base64url');
    const ids = bytes.subarray(0, 2 * ID_BYTES);
    if (!timingSafeEqual(this.#tag(site.site_id, ids), bytes.subarray(2 * ID_BYTES))) return undefined;
    const id = (from: number): string =>
      ids.toString('hex', from, from + ID_BYTES).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    return { person_id: id(0), subscription_id: id(ID_BYTES) };
  }

  #tag(site_id: string, ids: Buffer): Buffer {
    return createHmac('sha256', this.key)
      .update(`unsubscribe.v1\0${site_id}\0`)
      .update(ids)
      .digest()
      .subarray(0, TAG_BYTES);
  }
}
