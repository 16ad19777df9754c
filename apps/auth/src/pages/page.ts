import type { Readable } from 'node:stream';
import { renderPage } from '@lyceum/pages';
import type { Page, PageContent } from '@lyceum/pages';
import type { FastifyReply } from 'fastify';
import type { SiteRecord } from '#src/sites/site.js';
import { PAGE_SCRIPT } from './page.script.js';

/** A file that is sent while it is made. */
export interface Download extends Omit<Page, 'body'> {
  readonly body: Readable;
}

/** A redirect path, a page, or a file. */
export type Shown = Page | Download | string;

/** A page of a site in its own look. */
export const page = (site: SiteRecord, content: PageContent): Page => renderPage(site, content, PAGE_SCRIPT);

/** Redirects after a form with GET (RFC 9110 §15.4.4). */
export function go(reply: FastifyReply, location: string): void {
  void reply.header('cache-control', 'no-store').redirect(location, 303);
}

export function sendPage(reply: FastifyReply, { status, headers, body }: Page | Download): void {
  void reply.code(status).headers(headers).send(body);
}

export function send(reply: FastifyReply, shown: Shown): void {
  if (typeof shown === 'string') go(reply, shown);
  else sendPage(reply, shown);
}
