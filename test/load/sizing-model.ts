/** Rows of a table for each person or site. */
export interface Holding {
  readonly database: 'auth' | 'school' | 'learner';
  readonly table: string;
  readonly each: number;
  readonly of: 'person' | 'site';
}

const of = (database: Holding['database'], unit: Holding['of'], rows: Readonly<Record<string, number>>): Holding[] =>
  Object.entries(rows).map(([table, each]) => ({ database, table, each, of: unit }));

/**
 * Assumptions of docs/operate/scale.md: a person has 1.1 memberships, 3 courses with 20 completed lectures each and 2
 * orders; one of ten is active in a month, with 30 entries of logs and 2 applications.
 */
export const HOLDINGS: readonly Holding[] = [
  ...of('auth', 'person', {
    people: 1,
    site_members: 1.1,
    sessions: 0.15,
    grants: 0.2,
    consents: 0.2,
    access_tokens: 0.1,
    refresh_tokens: 0.4,
    // 13 months of the active ones.
    audit_log: 39,
  }),
  ...of('school', 'person', {
    students: 1,
    members: 1.1,
    enrollments: 3,
    access_grants: 3,
    progress: 60,
    orders: 2,
    order_lines: 2,
    // 400 days, and 45 days.
    activity: 20,
    changes: 4,
  }),
  ...of('school', 'site', { courses: 50, lectures: 1_500, files: 500 }),
  ...of('learner', 'person', {
    people: 1,
    memberships: 1.1,
    enrollments: 3,
    lecture_progress: 60,
    notifications: 5,
    // Ids of the events of 31 days, for each consumer.
    inbox: 5,
  }),
];
