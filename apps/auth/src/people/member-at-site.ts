import { isPresent } from '#src/database/present-member.js';

/** The columns of `MemberOfSite` of an active person. Both parameters are SQL expressions. */
export function memberAtSite(personId: string, siteId: string): string {
  return `
    SELECT p.person_id, m.member_id, p.email, p.email_verified,
           coalesce(m.name, p.name) AS name, m.picture, m.locale, m.phone, m.timezone, o.org_id, m.roles
      FROM people p
      JOIN sites o ON o.site_id = ${siteId}
      JOIN site_members m ON m.person_id = p.person_id AND m.site_id = o.site_id AND ${isPresent('m')}
     WHERE p.person_id = ${personId} AND p.state = 'active'`;
}
