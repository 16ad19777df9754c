/** The profile of a demo school as `admin-api apply` reads them. */
export interface DemoSchool {
  readonly lecturers: readonly object[];
  readonly school: object;
  readonly appearance?: object;
}

interface DemoProfile {
  readonly name: string;
  readonly slug: string;
  /** The subject of the school in a few words. */
  readonly subject: string;
  /** Appearance of the pages. Default: that of the platform. */
  readonly appearance?: object;
}

export function demoSchool({ name, slug, subject, appearance }: DemoProfile): DemoSchool {
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
  };
}
