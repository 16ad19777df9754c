/** The profile of a demo school and its offers beside courses, as `admin-api apply` reads them. */
export type DemoSchool = Readonly<
  Record<'lecturers' | 'pages' | 'digital_products' | 'events' | 'membership_plans', readonly object[]>
> & { readonly school: object; readonly appearance?: object };

const twd = (amount_minor: number) => ({ amount_minor, currency: 'TWD' });

interface DemoProfile {
  readonly base_url: string;
  readonly name: string;
  readonly slug: string;
  /** The subject of the school in a few words. */
  readonly subject: string;
  /** Without it pages are as the platform has them. */
  readonly appearance?: object;
}

/** Members of its plan get the courses of these slugs. */
export function demoSchool(
  { base_url, name, slug, subject, appearance }: DemoProfile,
  courses: readonly string[],
): DemoSchool {
  return {
    ...(appearance === undefined ? {} : { appearance }),
    school: { name, locale: 'en', timezone: 'Asia/Taipei', currency: 'TWD', contact_email: 'office@school.example' },
    lecturers: [
      {
        slug: 'lecturer',
        name: `${name} Lecturer`,
        email: `lecturer@${slug}.example`,
        title: `Teaches ${subject}`,
        bio_html: `<p>Has taught ${subject} for twenty years.</p>`,
        visible: true,
      },
    ],
    pages: [
      {
        slug: 'about',
        title: `About ${name}`,
        state: 'published',
        content_html: `<h2>About us</h2><p>${name} teaches ${subject} to everybody who wants to learn it.</p>`,
      },
    ],
    digital_products: [
      {
        slug: 'workbook',
        name: 'Workbook',
        description_html: `<p>Exercises in ${subject}, to print.</p>`,
        state: 'published',
        price: twd(45_000),
        download_limit: 1_000,
        files: [
          {
            file_id: '0199f6a0-0000-7000-8000-00000000f11e',
            name: 'workbook.md',
            content_type: 'text/markdown',
            size_bytes: 8_192,
            // A demo has no storage of files: this is a document of the site itself.
            storage_url: `${base_url}/auth.md`,
          },
        ],
      },
    ],
    events: [
      {
        slug: 'open-evening',
        name: 'Open evening',
        description_html: '<p>Meet the lecturers and ask everything.</p>',
        state: 'published',
        hosting_type: 'in_person',
        location: 'Taipei',
        starts_at: '2031-05-09T11:00:00Z',
        ends_at: '2031-05-09T13:00:00Z',
        timezone: 'Asia/Taipei',
        capacity: 40,
      },
    ],
    membership_plans: [
      {
        slug: 'all-courses',
        name: 'All courses',
        plan_type: 'recurring',
        state: 'active',
        prices: [
          { interval: 'month', price: twd(60_000), trial_days: 14 },
          { interval: 'year', price: twd(600_000) },
        ],
        courses,
      },
    ],
  };
}
