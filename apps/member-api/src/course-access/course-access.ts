/** The enrollments `e` of members, with their courses `c`. */
export const ENROLLED_COURSE = 'enrollments e join courses c on c.site_id = e.site_id and c.course_id = e.course_id';

/** Excludes revoked and pending enrollments, and enrollments whose course is unpublished or deleted. */
export const SEEN = `e.state in ('active', 'expired') and c.state not in ('draft', 'deleted')`;

/** True while the member may take the course. The event about the end of access may be late. */
export const ACTIVE = `(e.state = 'active' and coalesce(e.expires_at > now(), true))`;

/** An enrollment of which the member has not been notified. */
export const UNANNOUNCED = `e.announced_at is null and e.state = 'active'`;

/**
 * True while the member may open a lecture: a free preview at any time, and others of an open section while the course
 * may be taken.
 */
export const lectureOpen = (free_preview: string, section_open: string): string =>
  `(${free_preview} or (${section_open} and ${ACTIVE}))`;
/** The same of a lecture `cl` in a document. */
export const LECTURE_OPEN = lectureOpen('cl.free_preview', 'cl.is_open');

/**
 * When a section opens for the enrollment `e`. A day of a drip has 24 hours, in any time zone. The days count from the
 * first access, so that a renewal after an interruption closes nothing again. A date of the section may be later.
 */
export const opensAt = (section: string): string =>
  `greatest(coalesce(e.first_started_at, e.started_at) + ${section}.drip_days * interval '24 hours', ${section}.opens_at)`;

/** SQL condition: no time closes the lecture. It is a free preview, or its section is open. The course may be over. */
export const released = (lecture: string, section: string): string =>
  `(${lecture}.free_preview or ${opensAt(section)} <= now())`;
