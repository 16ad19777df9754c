/** Of each collection, by the name that its scopes have. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  appearance: 'Colors, logo and links of the site’s pages, and their earlier revisions.',
  courses: 'Courses of the site, from draft to archive.',
  digital_products: 'Files that the site sells.',
  events: 'Events that people register for, online or at a place.',
  lecturers: 'People who teach, as the site shows them.',
  membership_plans: 'Plans that give access to courses for a period.',
  pages: 'Static pages of the site.',
  school: 'Name, language, currency and contact of the school.',
  students: 'Students of the site and their enrollments.',
};

export function describeTag(name: string): { name: string; description: string } {
  const description = DESCRIPTIONS[name];
  if (description === undefined) throw new Error(`The tag ${name} has no description`);
  return { name, description };
}
