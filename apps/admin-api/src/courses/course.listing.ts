/** Of `courses`: what everybody may find. */
export const LISTED_COURSES = `state = 'published' and not hidden`;

/** The text in which a search finds a course, as the index has it. */
export const COURSE_TEXT = `(name || ' ' || coalesce(subtitle, '') || ' ' || slug)`;
