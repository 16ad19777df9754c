import { PERSONAL_DATA_PAGE } from '@lyceum/contracts';
import type { MemberDataSection } from '@lyceum/contracts';
import { Sql } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import { SETTINGS, chosenSetting } from '#src/notification-subscriptions/preferences.js';

/** The table of a section, and the columns that order the rows of one person. */
export const PERSONAL_TABLES: Readonly<Record<MemberDataSection, readonly [table: string, order: string]>> = {
  profile: ['memberships', 'person_id'],
  enrollments: ['enrollments', 'enrollment_id'],
  lecture_progress: ['lecture_progress', 'course_id, lecture_id'],
  playbacks: ['playbacks', 'course_id'],
  digital_product_grants: ['digital_product_grants', 'grant_id'],
  consulting_purchases: ['consulting_purchases', 'purchase_id'],
  consulting_bookings: ['consulting_bookings', 'booking_id'],
  event_registrations: ['event_registrations', 'registration_id'],
  notifications: ['notifications', 'notification_id'],
  notification_subscriptions: ['notification_subscriptions', 'topic, entity_id'],
  mails: ['outbound_mails', 'mail_id'],
};

/** Tables about people that a download leaves out. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  people: 'the account of the deployment, which auth exports',
  inbox_counts: 'a count of rows of notifications',
  member_erasures: 'when the membership before this one was erased',
  reminders: 'a plan of the bookings and events, which are exported',
  subscriptions: 'admin-api exports them',
};

/** Columns of each table that say nothing about the person. */
const TECHNICAL = [
  'site_id',
  'person_id',
  'student_id',
  'epoch',
  'version',
  ...SETTINGS.map((setting) => `inherited_${setting}`),
];

/** The settings that the member has chosen; null for others, which follow the topic or its default. */
const CHOICES = SETTINGS.map((setting) => `'${setting}', ${chosenSetting('t', setting)}`);

/** Other values of columns of a section. */
const VALUES: Partial<Record<MemberDataSection, string>> = {
  notification_subscriptions: ` || jsonb_build_object(${CHOICES.join(', ')})`,
};

export interface RecordsPage {
  readonly rows: Record<string, unknown>[];
  readonly more: boolean;
}

@Injectable()
export class PersonalDataRepository {
  constructor(private readonly sql: Sql) {}

  async page(
    { site_id, person_id }: { readonly site_id: string; readonly person_id: string },
    section: MemberDataSection,
    offset: number,
  ): Promise<RecordsPage> {
    const [table, order] = PERSONAL_TABLES[section];
    const found = await this.sql.query<{ row: Record<string, unknown> }>(
      {
        name: `personal_data_${section}`,
        text: `select (to_jsonb(t)${VALUES[section] ?? ''}) - $3::text[] as row from ${table} t where t.site_id = $1 and t.person_id = $2
                order by ${order} offset $4 limit $5`,
      },
      [site_id, person_id, TECHNICAL, offset, PERSONAL_DATA_PAGE + 1],
    );
    const rows = found.slice(0, PERSONAL_DATA_PAGE).map(({ row }) => row);
    return { rows, more: found.length > PERSONAL_DATA_PAGE };
  }
}
