import { createHash } from 'node:crypto';
import type { Site } from '@lyceum/contracts';
import { linkedPage } from '@lyceum/pages';
import type { LinkedContent, Page } from '@lyceum/pages';
import { BASE_URL } from '@lyceum/rest';
import { STYLE } from './reference.style.js';

type Content = Pick<LinkedContent, 'title' | 'body' | 'head'>;

/** A page of the documentation, in the look of each site. It differs between sites by their names and origins. */
export class SitePage {
  constructor(private readonly content: Content) {}

  at(site: Pick<Site, 'name' | 'base_url'>): Page {
    const headers = { 'referrer-policy': 'no-referrer', vary: 'host' };
    const page = linkedPage(site, { ...this.content, width: 'wide', style: STYLE, language: 'en', headers });
    const body = page.body.replaceAll(BASE_URL, site.base_url);
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
    return { ...page, headers: { ...page.headers, etag }, body };
  }
}
