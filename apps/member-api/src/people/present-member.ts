/**
 * The fence of all reads and writes for a member: the person of the token must be active and have a role at the site of
 * the token. The event that ends either ends access at once, even while tokens are still active. Takes the SQL of site
 * and person; returns a `FROM` clause that yields one row or none.
 */
export const presentMember = (site: string, person: string): string =>
  `memberships m join people p on p.person_id = m.person_id
   where m.person_id = ${person} and m.site_id = ${site} and m.roles <> '{}' and p.state = 'active'`;
