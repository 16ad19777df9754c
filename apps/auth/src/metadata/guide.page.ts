import { readerLanguage, say } from '@lyceum/messages';
import type { Page } from '@lyceum/pages';
import { Html, html } from '@lyceum/platform';
import { developerNav } from '#src/front/developer-links.js';
import { page } from '#src/pages/page.js';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import type { SiteRecord } from '#src/sites/site.js';
import { markdownHtml } from './markdown.policy.js';

/** The guide for people, in English. Programs get its Markdown at the same address. */
export function guideReadingPage(site: SiteRecord, markdown: string): Page {
  return page(site, {
    title: say('front.guide'),
    wide: true,
    headers: { vary: 'Accept, Accept-Language, Cookie' },
    body: html`${developerNav(ENDPOINTS.guide)}
      <article${readerLanguage() !== 'en' && new Html(' lang="en"')}>${markdownHtml(markdown)}</article>
      <p class="quiet small">${say('guides.same_address')}</p>`,
  });
}
