/** Condition on the category `$2` of the site `$1`: a course or a post has it. */
export const CATEGORY_IN_USE = `exists (select 1 from course_categories where site_id = $1 and category_id = $2)
      or exists (select 1 from posts where site_id = $1 and category_id = $2)`;
