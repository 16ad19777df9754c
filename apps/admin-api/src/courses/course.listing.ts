/** Of `courses`: what everybody may find. */
export const LISTED_COURSES = `state = 'published' and not hidden`;
