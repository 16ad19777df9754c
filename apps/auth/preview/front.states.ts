import { GUIDES } from '@lyceum/docs';
import { formAddressPage, noRolePage, notFoundPage } from '#src/edge/not-found.page.js';
import { explorerPage } from '#src/front/explorer.page.js';
import { guideIndexPage, guidePage } from '#src/front/guides.page.js';
import { referencePage } from '#src/front/reference.page.js';
import { guide } from '#src/metadata/guide.js';
import { guideReadingPage } from '#src/metadata/guide.page.js';
import { landingPage } from '#src/metadata/landing.page.js';
import { BARE_SITE, EMAIL, SITE } from './planted.ts';
import { statesOf } from './state.ts';
import type { State } from './state.ts';

const GUIDE_CASES = Object.fromEntries(
  [...GUIDES.values()].map((guide): [string, Parameters<typeof guidePage>] => [guide.slug, [SITE, guide]]),
);
const CLIENT = { client_id: 'docs', scope: 'courses:read' };

/** The pages for developers and visitors. The reference and the explorer are as they are without their scripts. */
export const FRONT_STATES: readonly State[] = [
  ...statesOf(landingPage, { 'with a look': [SITE], 'without a look': [BARE_SITE] }),
  ...statesOf(guideReadingPage, {
    'all chapters': [SITE, guide(SITE, { developerInfoUrl: undefined, repeatSeconds: 60 })],
  }),
  ...statesOf(guideIndexPage, { 'all guides': [SITE] }),
  ...statesOf(guidePage, GUIDE_CASES),
  ...statesOf(referencePage, { 'with an application': [SITE, CLIENT], 'without one': [SITE, undefined] }),
  ...statesOf(explorerPage, { 'with an application': [SITE, CLIENT], 'without one': [BARE_SITE, undefined] }),
  ...statesOf(notFoundPage, { 'unknown path': [SITE] }),
  ...statesOf(noRolePage, { 'a student': [SITE, EMAIL] }),
  ...statesOf(formAddressPage, { 'opened address': [SITE] }),
];
