import { GUIDES, GUIDE_BASE_URL } from '@lyceum/docs';
import type { Guide, GuideText } from '@lyceum/docs';
import { phrase, readerLanguage, say } from '@lyceum/messages';
import type { Page } from '@lyceum/pages';
import { Html, html } from '@lyceum/platform';
import { page } from '#src/pages/page.js';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import { GUIDES_PATH } from '#src/protocol/paths.js';
import type { SiteRecord } from '#src/sites/site.js';
import { developerNav } from './developer-links.js';

/** A guide of the build with the address of the site. */
const forSite = (text: string, { base_url }: SiteRecord): string => text.replaceAll(GUIDE_BASE_URL, base_url);

export const guideMarkdown = (site: SiteRecord, { markdown }: Guide): string => forSite(markdown, site);

/** The guide in the language of the reader. Recipes are in English. */
function textOf(guide: Guide): GuideText & { readonly lang: string } {
  const language = readerLanguage();
  const translation = guide.translations[language];
  return translation === undefined ? { ...guide, lang: 'en' } : { ...translation, lang: language };
}

/** Marks text whose language is not that of the page. */
const langOf = (lang: string): Html | false => lang !== readerLanguage() && new Html(` lang="${lang}"`);

/** Recipes have names of packages, which need no more words. */
const list = (site: SiteRecord, kind: Guide['kind']): Html[] =>
  [...GUIDES.values()]
    .filter((guide) => guide.kind === kind)
    .map((guide) => {
      const { title, summary, lang } = textOf(guide);
      return html`<li ${langOf(lang)}>
        <a href="${GUIDES_PATH}/${guide.slug}">${title}</a>
        ${kind === 'guide' && html`<p>${new Html(forSite(summary, site))}</p>`}
      </li>`;
    });

export function guideIndexPage(site: SiteRecord): Page {
  return page(site, {
    title: say('front.guides'),
    wide: true,
    body: html`${developerNav(GUIDES_PATH)}
      <h1>${say('front.guides')}</h1>
      <ul class="cards">
        ${list(site, 'guide')}
        <li>
          <a href="/docs/errors">${say('guides.errors')}</a>
          <p>${say('guides.errors_text')}</p>
        </li>
        <li>
          <a href="${ENDPOINTS.guide}">${say('front.guide')}</a>
          <p>${say('front.guide_text')}</p>
        </li>
      </ul>
      <h2 id="recipes">${say('guides.recipes')}</h2>
      <p class="lead">${say('guides.recipes_text')}</p>
      <ul class="cards">
        ${list(site, 'recipe')}
      </ul>`,
  });
}

export function guidePage(site: SiteRecord, guide: Guide): Page {
  const { title, html: rendered, lang } = textOf(guide);
  const link = html`<a href="${GUIDES_PATH}/${guide.slug}.md">${say('guides.markdown')}</a>`;
  return page(site, {
    title,
    wide: true,
    body: html`${developerNav(GUIDES_PATH, true)}
      <article${langOf(lang)}>
        <h1>${title}</h1>
        ${new Html(forSite(rendered, site))}
      </article>
      <p class="quiet small">${phrase('guides.for_agents', { link })}</p>`,
  });
}
