/** The profile of the membership. A row without a name is older than profiles: then the person's, until auth sends it again. */
export const ofProfile = (column: 'picture' | 'locale'): string =>
  `case when m.name is null then p.${column} else m.${column} end`;

/** SQL of the language of the member, in every statement that reads for them. */
export const VIEWER_LOCALE = ofProfile('locale');
