import { type DemoFile, demoWorkbook } from './demo-files.js';

/** A digital product of a demo school with one file, and the student who has it. */
export interface DemoProduct {
  readonly external_id: string;
  readonly slug: string;
  readonly name: string;
  readonly terms: object;
  readonly file: DemoFile;
  /** `student` is the `external_id` of the student. */
  readonly purchase: { readonly external_id: string; readonly student: string };
}

export function demoProducts(
  school: { readonly slug: string; readonly subject: string },
  student: string,
): readonly DemoProduct[] {
  return [
    {
      external_id: 'workbook',
      slug: 'workbook',
      name: 'Workbook',
      terms: {
        description_html: `<p>Exercises in ${school.subject}, to print.</p>`,
        price: { amount_minor: 45_000, currency: 'TWD' },
        compare_at_price: { amount_minor: 60_000, currency: 'TWD' },
        download_limit: 1_000,
        tags: ['exercises'],
      },
      file: demoWorkbook(school),
      purchase: { external_id: `workbook-${student}`, student },
    },
  ];
}
