import { say } from '@lyceum/messages';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import { CONNECT, EXPLORER, GUIDES_PATH, REFERENCE } from '#src/protocol/paths.js';

/** The pages for developers, as each of them lists them. */
export const developerLinks = (): readonly (readonly [path: string, title: string])[] => [
  [REFERENCE, say('front.reference')],
  [GUIDES_PATH, say('front.guides')],
  [EXPLORER, say('front.explorer')],
  [CONNECT, say('front.connect')],
  [ENDPOINTS.guide, say('front.guide')],
];

/** The navigation of a page for developers. `within`: a page below the current one. */
export function developerNav(current: string, within = false): Html {
  const mark = html`aria-current="${within ? 'true' : 'page'}"`;
  return html`<nav aria-label="${say('front.developers')}">
    <ul>
      ${developerLinks().map(([path, title]) => html`<li><a href="${path}" ${path === current && mark}>${title}</a></li>`)}
    </ul>
  </nav>`;
}
