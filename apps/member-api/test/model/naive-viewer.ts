import { textOf } from '#src/messages/messages.js';
import type { Parameters } from '#src/messages/messages.js';
import type { Learners, Member } from './learners.js';
import { naiveCurriculum } from './naive-curricula.js';
import type { Downloads } from './naive-downloads.js';
import { instant } from './naive-instants.js';
import { NaivePages, isOver, newestFirst } from './naive-page.js';
import type { PageArguments, Resolvable } from './naive-page.js';
import { NaivePurchases, bySlug } from './naive-purchases.js';
import { naiveReader } from './naive-reader.js';
import { naiveSubscription, naiveSubscriptions } from './naive-subscriptions.js';
import type { Row } from './row.js';

const ENROLLED = ['started_at', 'enrollment_id'] as const;
const LISTED = ['listed_at', 'id'] as const;
const CREATED = ['created_at', 'notification_id'] as const;

/** A reference model of the API in plain JavaScript over all rows: slow but easy to verify. */
export class NaiveViewer {
  readonly #pages: NaivePages;
  readonly #purchases: NaivePurchases;
  #nodes: Resolvable[] | undefined;

  constructor(
    private readonly learners: Learners,
    private readonly member: Member,
    key: Buffer,
    private readonly downloads: Downloads,
  ) {
    this.#pages = new NaivePages(member, key);
    const caller = { ...member, baseUrl: this.#baseUrl() };
    this.#purchases = new NaivePurchases(learners, caller, this.#pages, downloads);
  }

  /** Valid cursors of every list. */
  cursors(): Record<string, string[]> {
    const of = (list: string, rows: Row[], keys: readonly [string, string]): string[] =>
      rows.map((row) => this.#pages.cursorOf(list, row, keys));
    return {
      enrolledCourses: of('enrolledCourses', this.enrollments(), ENROLLED),
      notifications: of('notifications', this.notifications(), CREATED),
      notificationSubscriptions: of('notificationSubscriptions', this.subscriptions(), LISTED),
      ...this.#purchases.cursors(),
    };
  }

  viewer(): Resolvable | null {
    const { site, person } = this.member;
    const row = this.learners.people.find((one) => one['person_id'] === person && one['state'] === 'active');
    if (row === undefined || this.#rolesAt(site).length === 0) return null;
    const membership = this.#membershipAt(site);
    const profile = membership?.['name'] === null ? row : membership;
    const counted = this.learners.inbox_counts.find((one) => one['site_id'] === site && one['person_id'] === person);
    return {
      __typename: 'Viewer',
      id: person,
      name: profile?.['name'],
      email: row['email'],
      avatarUrl: profile?.['picture'],
      locale: profile?.['locale'],
      schools: () => this.#schools(),
      enrolledCourse: (given: { slug: string }) =>
        bySlug(
          this.enrollments().map((one) => this.#course(one)),
          given,
        ),
      notification: ({ id }: { id: string }) =>
        this.notifications()
          .map((one) => this.#notification(one))
          .find((one) => one['id'] === id) ?? null,
      notificationSubscription: ({ topic, entityId = null }: { topic: string; entityId?: string | null }) =>
        this.subscriptions()
          .map(naiveSubscription)
          .find((one) => one['topic'] === topic && one['entityId'] === entityId) ?? null,
      enrolledCourses: (page: PageArguments) =>
        this.#pages.page('enrolledCourses', this.enrollments(), ENROLLED, page, (one) => this.#course(one)),
      ...this.#purchases.fields(),
      notifications: (page: PageArguments) =>
        this.#pages.page('notifications', this.notifications(), CREATED, page, (one) => this.#notification(one)),
      notificationSubscriptions: (page: PageArguments) =>
        this.#pages.page('notificationSubscriptions', this.subscriptions(), LISTED, page, naiveSubscription),
      unreadNotificationCount: counted?.['unread'] ?? 0,
    };
  }

  /** Every object of the member that has a global id. */
  nodes(): Resolvable[] {
    return (this.#nodes ??= this.#makeNodes());
  }

  #makeNodes(): Resolvable[] {
    const viewer = this.viewer();
    if (viewer === null) return [];
    const subjects = new Set(this.notifications().map((one) => one['subject_id']));
    const posts = this.learners.posts.flatMap(({ post_id }) => (subjects.has(post_id) ? [this.#post(post_id)] : []));
    return [
      viewer,
      // `node` cannot find a site older than public ids.
      ...this.#schools().filter(({ id }) => String(id).startsWith('org_')),
      ...this.enrollments().map((one) => this.#course(one)),
      ...this.notifications().map((one) => this.#notification(one)),
      ...this.subscriptions().map(naiveSubscription),
      ...posts.filter((post) => post !== null),
      ...this.#purchases.nodes(),
    ];
  }

  node({ id }: { readonly id: string }): Resolvable | null {
    return this.nodes().find((one) => one['id'] === id) ?? null;
  }

  /** The visible ones, newest first. */
  enrollments(): Row[] {
    const visible = this.learners.enrollments.filter((one) => this.#isMine(one) && this.#courseOf(one) !== undefined);
    return newestFirst(
      visible.filter(({ state }) => state === 'active' || state === 'expired'),
      ENROLLED,
    );
  }

  notifications(): Row[] {
    return newestFirst(
      this.learners.notifications.filter((one) => this.#isMine(one)),
      CREATED,
    );
  }

  subscriptions(): Row[] {
    return newestFirst(naiveSubscriptions(this.learners, this.member, this.enrollments()), LISTED);
  }

  #schools(): Resolvable[] {
    return this.learners.sites
      .filter(({ site_id }) => this.#rolesAt(String(site_id)).length > 0)
      .toSorted((a, b) => (String(a['name']) < String(b['name']) ? -1 : 1))
      .map((site) => ({
        __typename: 'ViewerSchool',
        id: site['org_id'] ?? site['site_id'],
        name: site['name'],
        slug: site['slug'],
        url: site['base_url'],
        roles: this.#rolesAt(String(site['site_id'])),
        isCurrent: site['site_id'] === this.member.site,
        joinedAt: instant(this.#membershipAt(String(site['site_id']))?.['joined_at']),
      }));
  }

  #pageUrl(course: Row | undefined): string | null {
    const template = this.learners.sites.find(({ site_id }) => site_id === this.member.site)?.['course_url'];
    if (typeof template !== 'string') return null;
    return template.replaceAll('{slug}', String(course?.['slug'])).replaceAll('{id}', String(course?.['course_id']));
  }

  #course(enrollment: Row): Resolvable {
    const course = this.#courseOf(enrollment);
    const state = enrollment['state'] === 'expired' || isOver(enrollment['expires_at']) ? 'EXPIRED' : 'ACTIVE';
    const caller = { ...this.member, baseUrl: this.#baseUrl(), downloads: this.downloads };
    return {
      __typename: 'EnrolledCourse',
      id: `enr_${String(enrollment['enrollment_id'])}`,
      courseId: enrollment['course_id'],
      slug: course?.['slug'],
      name: course?.['name'],
      imageUrl: course?.['image_url'],
      url: `${this.#baseUrl()}/courses/${String(course?.['slug'])}`,
      pageUrl: this.#pageUrl(course),
      expireDate: instant(enrollment['expires_at']),
      hasLifetimeAccess: enrollment['expires_at'] === null,
      state,
      enrolledAt: instant(enrollment['started_at']),
      completionRate: enrollment['completion_rate'],
      completedAt: instant(enrollment['completed_at']),
      lastWatchedLecture: () => {
        const last = this.learners.playbacks.find(
          (one) => this.#isMine(one) && one['course_id'] === enrollment['course_id'],
        );
        if (last === undefined) return null;
        const { lecture_id, title, position_seconds, watched_at } = last;
        return { lectureId: lecture_id, title, positionSeconds: position_seconds, watchedAt: instant(watched_at) };
      },
      ...naiveCurriculum(this.learners, caller, { ...enrollment, active: state === 'ACTIVE' }),
    };
  }

  #address({ kind, path, subject_id }: Row): string | null {
    const enrollment = this.learners.enrollments.find(
      (one) => kind !== 'offer_sent' && this.#isMine(one) && one['enrollment_id'] === subject_id,
    );
    const course = this.learners.courses.find(
      ({ site_id, course_id, slug }) =>
        site_id === this.member.site &&
        (enrollment === undefined ? path === `/courses/${String(slug)}` : course_id === enrollment['course_id']),
    );
    if (course === undefined)
      return kind === 'offer_sent' && typeof path === 'string' ? `${this.#baseUrl()}${path}` : null;
    return ['draft', 'deleted'].includes(String(course['state'])) ? null : this.#pageUrl(course);
  }

  #notification(one: Row): Resolvable {
    return {
      __typename: 'Notification',
      id: `ntf_${String(one['notification_id'])}`,
      kind: String(one['kind']).toUpperCase(),
      title: this.#text(one, 'title') ?? '',
      body: this.#text(one, 'body'),
      url: this.#address(one),
      isRead: one['read_at'] !== null,
      readAt: instant(one['read_at']),
      createdAt: instant(one['created_at']),
      subject: () => {
        const subject = this.enrollments().find(({ enrollment_id }) => enrollment_id === one['subject_id']);
        if (subject !== undefined) return this.#course(subject);
        return this.#purchases.subject(one['subject_id']) ?? this.#post(one['subject_id']);
      },
    };
  }

  #post(id: unknown): Resolvable | null {
    const post = this.learners.posts.find(
      ({ post_id, site_id, state }) => post_id === id && site_id === this.member.site && state === 'published',
    );
    if (post === undefined) return null;
    const { slug, title } = post;
    return {
      __typename: 'Post',
      id: `pst_${String(id)}`,
      slug,
      title,
      url: `${this.#baseUrl()}/posts/${String(slug)}`,
    };
  }

  #text({ kind, parameters }: Row, part: string): string | null {
    const reader = naiveReader(this.learners, this.member);
    return textOf(`${String(kind)}.${part}`, JSON.parse(String(parameters)) as Parameters, reader) || null;
  }

  #isMine(row: Row): boolean {
    return row['site_id'] === this.member.site && row['person_id'] === this.member.person;
  }

  #courseOf(enrollment: Row): Row | undefined {
    return this.learners.courses.find(
      (course) =>
        course['course_id'] === enrollment['course_id'] &&
        course['site_id'] === enrollment['site_id'] &&
        course['state'] !== 'draft' &&
        course['state'] !== 'deleted',
    );
  }

  #membershipAt(site: string): Row | undefined {
    return this.learners.memberships.find((one) => one['site_id'] === site && one['person_id'] === this.member.person);
  }

  #rolesAt(site: string): readonly string[] {
    return (this.#membershipAt(site)?.['roles'] ?? []) as readonly string[];
  }

  #baseUrl(): string {
    return String(this.learners.sites.find(({ site_id }) => site_id === this.member.site)?.['base_url']);
  }
}
