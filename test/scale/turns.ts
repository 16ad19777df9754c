import type { StackService } from '@lyceum/local';
import { BrowserSession, type Page, postForms, type ReceivedResponse, send } from '@lyceum/testing';
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
  browser(): TurningBrowser {
    const origin = this.#site.base_url;
    const via = (): string => this.next();
    return new TurningBrowser({
      origin,
      get via() {
        return via();
      },
    });
  }

  send<Body = Record<string, unknown>>(
    path: string,
    { token, json, form }: { token?: string; json?: unknown; form?: Record<string, string> } = {},
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

export class TurningBrowser extends BrowserSession {
  /** Submits the form that has this field or button. */
  submit(page: Page, field: string, values: Readonly<Record<string, string>>): Promise<Page> {
    const form = postForms(page.body).find(({ names }) => names.has(field));
    if (form === undefined) throw new Error(`${page.status} at ${page.url.href} has no form with ${field}`);
    const fields = new URLSearchParams(form.fields);
    for (const [name, value] of Object.entries(values)) fields.set(name, value);
    return this.open(new URL(form.action, page.url), fields);
  }
}
