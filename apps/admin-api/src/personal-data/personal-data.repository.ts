import { PERSONAL_DATA_PAGE } from '@lyceum/contracts';
import type { SchoolDataSection } from '@lyceum/contracts';
import { Sql } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';

/** The student of the person at the site. */
const STUDENT = '(select s.id from students s where s.site_id = $1 and s.person_id = $2)';
const ORDER = `(select o.id from orders o where o.site_id = $1 and o.student_id in ${STUDENT})`;

/** The rows of a section: a table, the condition for the person, and the columns that order them. */
interface Source {
  readonly table: string;
  readonly where: string;
  readonly order: string;
}

const ofStudent = (table: string): Source => ({ table, where: `t.student_id in ${STUDENT}`, order: 't.id' });

export const PERSONAL_TABLES: Readonly<Record<SchoolDataSection, Source>> = {
  student: { table: 'students', where: 't.person_id = $2', order: 't.id' },
  orders: ofStudent('orders'),
  order_lines: { table: 'order_lines', where: `t.order_id in ${ORDER}`, order: 't.order_id, t.position' },
  order_refunds: { table: 'order_refunds', where: `t.order_id in ${ORDER}`, order: 't.id' },
  coupon_redemptions: ofStudent('coupon_redemptions'),
  subscriptions: ofStudent('subscriptions'),
  course_reviews: ofStudent('course_reviews'),
  comments: ofStudent('comments'),
  form_submissions: ofStudent('form_submissions'),
};

/** Columns that say nothing about the person, and the notes of the school. */
const LEFT_OUT = [
  'site_id',
  'person_id',
  'student_id',
  'version',
  'revision',
  'links',
  'external_id',
  'metadata',
  'custom_fields',
  'tags',
];

@Injectable()
export class PersonalDataRepository {
  constructor(private readonly sql: Sql) {}

  async page(
    { site_id, person_id }: { readonly site_id: string; readonly person_id: string },
    section: SchoolDataSection,
    offset: number,
  ): Promise<{ rows: Record<string, unknown>[]; more: boolean }> {
    const { table, where, order } = PERSONAL_TABLES[section];
    const found = await this.sql.query<{ row: Record<string, unknown> }>(
      {
        name: `personal_data_${section}`,
        text: `select to_jsonb(t) - $3::text[] as row from ${table} t where t.site_id = $1 and ${where}
                order by ${order} offset $4 limit $5`,
      },
      [site_id, person_id, LEFT_OUT, offset, PERSONAL_DATA_PAGE + 1],
    );
    const rows = found.slice(0, PERSONAL_DATA_PAGE).map(({ row }) => row);
    return { rows, more: found.length > PERSONAL_DATA_PAGE };
  }
}
