import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SiteRecord } from '#src/sites/site.js';

export interface Cookie {
  readonly name: string;
  /** The value has only cookie characters (RFC 6265 §4.1.1). */
  readonly value: string;
  readonly path: string;
  readonly sameSite: 'lax' | 'strict';
  /** 0 removes the cookie. Without it the cookie ends with the browser. */
  readonly seconds?: number;
}

export function readCookie({ headers }: FastifyRequest, name: string): string | undefined {
  const pairs = (headers.cookie ?? '').split('; ').map((pair) => pair.split('=', 2));
  return pairs.find(([key]) => key === name)?.[1] || undefined;
}

/**
 * Adds a cookie that no script can read. It uses the raw response, like the engine: Fastify's header would replace the
 * engine's cookies.
 */
export function setCookie(reply: FastifyReply, { base_url }: SiteRecord, cookie: Cookie): void {
  const { name, value, path, sameSite, seconds } = cookie;
  const age = seconds === undefined ? '' : `; max-age=${seconds}`;
  const secure = base_url.startsWith('https:') ? '; secure' : '';
  reply.raw.appendHeader('set-cookie', `${name}=${value}; path=${path}${age}; httponly; samesite=${sameSite}${secure}`);
}
