/**
 * SQL condition: the person left the site or was removed, and has not returned. The stored membership is then the
 * erased one. A suspended member has not left.
 */
export const hasLeft = (site: string, person: string): string => `exists (
      select from member_erasures e join memberships m on m.site_id = e.site_id and m.person_id = e.person_id
      where e.site_id = ${site} and e.person_id = ${person} and m.joined_at <= e.erased_at)`;
