import type { DemoDay } from './demo-day.js';

/** A comment of a learner of the demo, as the storefront of the school posts it, with ids of the storefront. */
export interface DemoComment {
  /** `external_id` of the student. */
  readonly student: string;
  readonly body: string;
  readonly state?: 'visible' | 'pending';
  readonly occurred_at: string;
}

interface DemoThread extends DemoComment {
  /** `external_id` of the course or lecture. */
  readonly commentable: { readonly type: 'course' | 'lecture'; readonly external_id: string };
  readonly replies: readonly DemoComment[];
}

interface DemoSubmission {
  /** `external_id` of the student. Undefined: a visitor. */
  readonly student?: string;
  readonly answers: Readonly<Record<string, unknown>>;
  readonly occurred_at: string;
}

interface DemoForm {
  readonly slug: string;
  readonly external_id: string;
  readonly title: string;
  readonly fields: readonly object[];
  readonly submissions: readonly DemoSubmission[];
}

/** Comments of learners, and forms with their submissions. */
export interface DemoCommunity {
  readonly threads: readonly DemoThread[];
  readonly forms: readonly DemoForm[];
}

/** A question with answers in the first lecture, a comment that waits for a moderator, and a form of the school. */
export function demoCommunity(
  [first, second]: readonly [string, string],
  { external_id: course, curriculum: [section] }: DemoCommented,
  day: DemoDay,
): DemoCommunity {
  const [lecture] = section?.lectures ?? [];
  if (lecture === undefined) throw new Error(`${course} has too few lectures`);
  const threads: readonly DemoThread[] = [
    {
      student: second,
      commentable: { type: 'lecture', external_id: lecture.external_id },
      body: 'At minute four I lose the thread. Does it matter which side I begin with?',
      occurred_at: day.ago(7, '08:20'),
      replies: [
        {
          student: first,
          body: 'Either side works, as long as you keep it until the end.\nThe next lecture shows both.',
          occurred_at: day.ago(7, '18:05'),
        },
        { student: second, body: 'That helped, thank you.', occurred_at: day.ago(6, '07:40') },
      ],
    },
    {
      student: first,
      commentable: { type: 'course', external_id: course },
      body: 'Is there a meeting where we can practice together?',
      state: 'pending',
      occurred_at: day.ago(1, '19:10'),
      replies: [],
    },
  ];
  return { threads, forms: [contactForm(first, day)] };
}

interface DemoCommented {
  readonly external_id: string;
  readonly curriculum: readonly { readonly lectures: readonly { readonly external_id: string }[] }[];
}

function contactForm(student: string, day: DemoDay): DemoForm {
  return {
    slug: 'contact',
    external_id: 'form-contact',
    title: 'Write to us',
    fields: [
      { key: 'email', type: 'email', label: 'Your e-mail address', required: true },
      { key: 'topics', type: 'multiselect', label: 'Topics', options: ['Courses', 'Invoices', 'Events'] },
      { key: 'group_size', type: 'number', label: 'How many of you would come?', minimum: 1, maximum: 40 },
      { key: 'message', type: 'textarea', label: 'Message', required: true, max_length: 2000 },
      { key: 'terms', type: 'checkbox', label: 'You may answer me by e-mail', required: true },
    ],
    submissions: [
      {
        answers: {
          email: 'visitor@mail.example',
          topics: ['Courses', 'Events'],
          group_size: 12,
          message: 'We are a club of beginners. Do you have a course for all of us?',
          terms: true,
        },
        occurred_at: day.ago(4, '10:15'),
      },
      {
        student,
        answers: {
          email: 'learner@mail.example',
          topics: ['Invoices'],
          message: 'Please send my invoice to the address of my company.',
          terms: true,
        },
        occurred_at: day.ago(2, '09:00'),
      },
    ],
  };
}
