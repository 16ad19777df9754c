import { createHmac } from 'node:crypto';
import type { Learners, Member, Row } from './learners.js';
import { instant, micros } from './naive-instants.js';
import { naiveSubscription, naiveSubscriptions } from './naive-subscriptions.js';

interface PageArguments {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
  readonly before?: string | null;
}

/** Fields by name, with functions where there are arguments: what graphql-js resolves by itself. */
type Resolvable = Record<string, unknown>;

/** Answers as the specification of the API has them, in plain JavaScript over all rows: slow, and easy to be sure of. */
export class NaiveViewer {
  constructor(
    private readonly learners: Learners,
    private readonly member: Member,
    private readonly key: Buffer,
  ) {}

  viewer(): Resolvable | null {
    const { site, person } = this.member;
    const row = this.learners.person.find((one) => one['person_id'] === person && one['state'] === 'active');
    if (row === undefined || this.#rolesAt(site).length === 0) return null;
    const counted = this.learners.inbox_count.find((one) => one['site_id'] === site && one['person_id'] === person);
    return {
      id: person,
      name: row['name'],
      email: row['email'],
      avatarUrl: row['picture'],
      locale: row['locale'],
      schools: () => this.#schools(),
      enrolledCourses: (page: PageArguments) =>
        this.#page('enrolledCourses', this.enrollments(), ['started_at', 'enrollment_id'], page, (one) =>
          this.#course(one),
        ),
      notifications: (page: PageArguments) =>
        this.#page('notifications', this.notifications(), ['created_at', 'notification_id'], page, (one) =>
          this.#notification(one),
        ),
      notificationSubscriptions: (page: PageArguments) =>
        this.#page('notificationSubscriptions', this.subscriptions(), ['listed_at', 'id'], page, naiveSubscription),
      unreadNotificationCount: counted?.['unread'] ?? 0,
    };
  }

  /** The visible ones, newest first. */
  enrollments(): Row[] {
    const visible = this.learners.enrollment.filter((one) => this.#isMine(one) && this.#courseOf(one) !== undefined);
    return newestFirst(
      visible.filter(({ state }) => state === 'active' || state === 'expired'),
      ['started_at', 'enrollment_id'],
    );
  }

  notifications(): Row[] {
    return newestFirst(
      this.learners.notification.filter((one) => this.#isMine(one)),
      ['created_at', 'notification_id'],
    );
  }

  subscriptions(): Row[] {
    return newestFirst(naiveSubscriptions(this.learners, this.member, this.enrollments()), ['listed_at', 'id']);
  }

  cursor(list: string, time: string, id: string): string {
    const { site, person } = this.member;
    const key = createHmac('sha256', this.key).update(`cursor.v1\0${site}\0${person}\0${list}`).digest();
    const bytes = Buffer.alloc(24);
    bytes.writeBigInt64BE(micros(time));
    bytes.write(id.replaceAll('-', ''), 8, 'hex');
    const tag = createHmac('sha256', key).update(bytes).digest().subarray(0, 16);
    return Buffer.concat([bytes, tag]).toString('base64url');
  }

  #schools(): Resolvable[] {
    return this.learners.site
      .filter(({ site_id }) => this.#rolesAt(String(site_id)).length > 0)
      .toSorted((a, b) => (String(a['name']) < String(b['name']) ? -1 : 1))
      .map((site) => ({
        id: site['site_id'],
        name: site['name'],
        slug: site['slug'],
        url: site['base_url'],
        roles: this.#rolesAt(String(site['site_id'])),
        isCurrent: site['site_id'] === this.member.site,
        joinedAt: instant(this.#membershipAt(String(site['site_id']))?.['joined_at']),
      }));
  }

  #course(enrollment: Row): Resolvable {
    const course = this.#courseOf(enrollment);
    const ended =
      enrollment['expires_at'] !== null && micros(String(enrollment['expires_at'])) < BigInt(Date.now()) * 1000n;
    return {
      __typename: 'EnrolledCourse',
      id: enrollment['enrollment_id'],
      courseId: enrollment['course_id'],
      slug: course?.['slug'],
      name: course?.['name'],
      imageUrl: course?.['image_url'],
      url: `${this.#baseUrl()}/courses/${String(course?.['slug'])}`,
      expireDate: instant(enrollment['expires_at']),
      hasLifetimeAccess: enrollment['expires_at'] === null,
      state: enrollment['state'] === 'expired' || ended ? 'EXPIRED' : 'ACTIVE',
      enrolledAt: instant(enrollment['started_at']),
      completionRate: enrollment['completion_rate'],
      completedAt: instant(enrollment['completed_at']),
      lastWatchedLecture: () => {
        const last = this.learners.playback.find(
          (one) => this.#isMine(one) && one['course_id'] === enrollment['course_id'],
        );
        if (last === undefined) return null;
        const { lecture_id, title, position_seconds, watched_at } = last;
        return { lectureId: lecture_id, title, positionSeconds: position_seconds, watchedAt: instant(watched_at) };
      },
    };
  }

  #notification(one: Row): Resolvable {
    return {
      id: one['notification_id'],
      kind: String(one['kind']).toUpperCase(),
      title: one['title'],
      body: one['body'],
      url: one['path'] === null ? null : `${this.#baseUrl()}${String(one['path'])}`,
      isRead: one['read_at'] !== null,
      readAt: instant(one['read_at']),
      createdAt: instant(one['created_at']),
      subject: () => {
        const subject = this.enrollments().find(({ enrollment_id }) => enrollment_id === one['subject_id']);
        return subject === undefined ? this.#post(one['subject_id']) : this.#course(subject);
      },
    };
  }

  #post(id: unknown): Resolvable | null {
    const post = this.learners.post.find(
      ({ post_id, site_id, state }) => post_id === id && site_id === this.member.site && state === 'published',
    );
    if (post === undefined) return null;
    const { slug, title } = post;
    return { __typename: 'Post', id, slug, title, url: `${this.#baseUrl()}/posts/${String(slug)}` };
  }

  #page(
    list: string,
    rows: Row[],
    [time, id]: [string, string],
    { first, last, after, before }: PageArguments,
    node: (row: Row) => Resolvable,
  ): Resolvable {
    const cursorOf = (row: Row): string => this.cursor(list, String(row[time]), String(row[id]));
    const from = after ? rows.findIndex((row) => cursorOf(row) === after) + 1 : 0;
    const to = before ? rows.findIndex((row) => cursorOf(row) === before) : rows.length;
    const within = rows.slice(from, Math.max(from, to));
    const size = last ?? first ?? 20;
    const page = last ? within.slice(-size) : within.slice(0, size);
    const more = within.length > page.length;
    const [start, end] = [page[0], page.at(-1)];
    return {
      totalCount: rows.length,
      nodes: () => page.map(node),
      edges: () => page.map((row) => ({ cursor: cursorOf(row), node: node(row) })),
      pageInfo: {
        hasNextPage: last ? Boolean(before) : more,
        hasPreviousPage: last ? more : Boolean(after),
        startCursor: start === undefined ? null : cursorOf(start),
        endCursor: end === undefined ? null : cursorOf(end),
      },
    };
  }

  #isMine(row: Row): boolean {
    return row['site_id'] === this.member.site && row['person_id'] === this.member.person;
  }

  #courseOf(enrollment: Row): Row | undefined {
    return this.learners.course.find(
      (course) =>
        course['course_id'] === enrollment['course_id'] &&
        course['site_id'] === enrollment['site_id'] &&
        course['state'] !== 'draft' &&
        course['state'] !== 'deleted',
    );
  }

  #membershipAt(site: string): Row | undefined {
    return this.learners.membership.find((one) => one['site_id'] === site && one['person_id'] === this.member.person);
  }

  #rolesAt(site: string): readonly string[] {
    return (this.#membershipAt(site)?.['roles'] ?? []) as readonly string[];
  }

  #baseUrl(): string {
    return String(this.learners.site.find(({ site_id }) => site_id === this.member.site)?.['base_url']);
  }
}

function newestFirst(rows: Row[], [time, id]: [string, string]): Row[] {
  const key = (row: Row): string => `${String(micros(String(row[time]))).padStart(20, '0')} ${String(row[id])}`;
  return rows.toSorted((a, b) => (key(a) < key(b) ? 1 : -1));
}
