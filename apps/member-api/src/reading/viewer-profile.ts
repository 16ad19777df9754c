/** The profile of the membership. A row without a name is older than profiles; the person's profile replaces it. */
export const ofProfile = (column: 'picture' | 'locale'): string =>
  `case when m.name is null then p.${column} else m.${column} end`;

/** SQL of the member's language. */
export const VIEWER_LOCALE = ofProfile('locale');

/** SQL of what is known about the reader of texts: the languages of the member and of the site. */
export const VIEWER_READER = `json_build_object('person', ${VIEWER_LOCALE}, 'site',
  (select language.locale from sites language where language.site_id = :site))`;
