import type { StackService } from '@lyceum/local';
import { BrowserSession, type ReceivedResponse, send } from '@lyceum/testing';
import type { SystemSite } from '../stack/system-stack.ts';

/** Sends each request of a site to the other replica than the one before, past the edge. */
export class Turns {
  readonly #replicas: readonly StackService[];
  readonly #site: SystemSite;
  /** The replica of each request so far, from 1. */
  readonly used: number[] = [];

  constructor(replicas: readonly StackService[], site: SystemSite) {
    this.#replicas = replicas;
    this.#site = site;
  }

  next(): string {
    const { internalUrl, replica } = this.#replicas[this.used.length % this.#replicas.length]!;
    this.used.push(replica);
    return internalUrl;
  }

  /** A browser each of whose requests goes to the next replica. */
  browser(): BrowserSession {
    const origin = this.#site.base_url;
    const via = (): string => this.next();
    return new BrowserSession({
      origin,
      get via() {
        return via();
      },
    });
  }

  send<Body = Record<string, unknown>>(
    path: string,
    { token, json, form }: { token?: string; json?: unknown; form?: Record<string, string> | URLSearchParams } = {},
  ): Promise<ReceivedResponse<Body>> {
    const type = form === undefined ? 'application/json' : 'application/x-www-form-urlencoded';
    const body = form === undefined ? json : new URLSearchParams(form).toString();
    const headers = {
      host: new URL(this.#site.base_url).host,
      accept: 'application/json, text/event-stream',
      ...(body === undefined ? {} : { 'content-type': type }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    return send<Body>(this.next(), body === undefined ? 'GET' : 'POST', path, headers, body);
  }
}
