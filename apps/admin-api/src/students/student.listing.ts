/** SQL of `last_seen_at`. */
export const STUDENT_LAST_SEEN = `(select max(p.watched_at) from progress p
  where p.site_id = students.site_id and p.student_id = students.id)`;
