import { readerLanguage, requestedBy } from '@lyceum/messages';
import { currentReader, readAs } from '@lyceum/platform';
import type { FastifyRequest } from 'fastify';
import type { MemberOfSite } from '#src/people/claims.policy.js';
import type { SiteRecord } from '#src/sites/site.js';

/** Tells the texts of this request what is known about their reader before the person is. */
export function readAsVisitor({ url, headers }: Pick<FastifyRequest, 'url' | 'headers'>, { school }: SiteRecord): void {
  const { locale: site, timezone } = school;
  const { 'accept-language': accepted, 'user-agent': userAgent } = headers;
  readAs({ requested: requestedBy(url), site, timezone, accepted, userAgent });
}

/** Adds the person, whose time zone stands before that of the site. */
export function readAsMember({ locale, timezone }: Pick<MemberOfSite, 'locale' | 'timezone'>): void {
  readAs({ person: locale, ...(timezone === null ? {} : { timezone }) });
}

/** The path of a page outside of the interaction, which stays in the language that the application requested. */
export function inRequestedLanguage(path: string): string {
  const { requested = [] } = currentReader() ?? {};
  return requested.length === 0 ? path : `${path}?ui_locales=${readerLanguage()}`;
}
