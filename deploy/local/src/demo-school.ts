/** What a demo school says of itself, and offers beside courses: as `admin-api apply` reads it. */
export type DemoSchool = Readonly<
  Record<'lecturers' | 'pages' | 'digital_products' | 'events' | 'membership_plans', readonly object[]>
> & { readonly school: object };

const twd = (amount_minor: number) => ({ amount_minor, currency: 'TWD' });

/** `subject` is what it teaches, in a few words; members of its plan get the courses of these slugs. */
export function demoSchool(name: string, subject: string, courses: readonly string[]): DemoSchool {
  return {
    school: { name, locale: 'en', timezone: 'Asia/Taipei', currency: 'TWD', contact_email: 'office@school.example' },
    lecturers: [
      {
        slug: 'lecturer',
        name: `${name} Lecturer`,
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
