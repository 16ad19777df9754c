import { say } from '@lyceum/messages';
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
