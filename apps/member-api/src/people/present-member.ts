/**
 * The fence of everything that is read or written for a member: the person of the token, while active, and while they
 * hold a role at the site of the token. Whoever loses either is gone with the event that says so, whatever the tokens
 * still say. Takes the SQL of site and person; yields a `FROM` clause of one row, or none.
 */
export const presentMember = (site: string, person: string): string =>
  `memberships m join people p on p.person_id = m.person_id
   where m.person_id = ${person} and m.site_id = ${site} and m.roles <> '{}' and p.state = 'active'`;
