/**
 * SQL of the page of the course `course` at the web site of the school `site`. Null while the school has no URL
 * template. Slugs and UUIDs need no percent-encoding.
 */
export const coursePage = (site: string, course: string): string =>
  `replace(replace(${site}.course_url, '{slug}', ${course}.slug), '{id}', ${course}.course_id::text)`;
