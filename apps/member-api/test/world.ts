import {
  SYSTEM_ACTOR,
  announcementEvents,
  clientEvents,
  courseEvents,
  curriculumEvents,
  lectureAttachmentEvents,
  enrollmentEvents,
  personEvents,
  progressEvents,
  roleEvents,
  siteEvents,
  textEvents,
} from '@lyceum/contracts';
import type { DomainEvent, EntityEvents } from '@lyceum/contracts';
import { uuidv7 } from '@lyceum/platform';
import { connectAs } from '@lyceum/testing';
import type { TestNats } from '@lyceum/testing';
import { jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { z } from 'zod';

export type DataOf<E extends EntityEvents> = z.input<E['data']>;
export type Announcement = DataOf<typeof announcementEvents>;
type Person = DataOf<typeof personEvents>;
type Role = DataOf<typeof roleEvents>;
type Client = DataOf<typeof clientEvents>;
type Course = DataOf<typeof courseEvents>;
type Enrollment = DataOf<typeof enrollmentEvents>;
type Progress = DataOf<typeof progressEvents>;
type Curriculum = DataOf<typeof curriculumEvents>;
type Attachments = DataOf<typeof lectureAttachmentEvents>;
export type Attachment = Attachments['attachments'][number];
export type Section = Curriculum['sections'][number];
export type Lecture = Section['lectures'][number];

export interface Sent {
  readonly version?: number;
  /** The event's name. Default: the first of the entity. */
  readonly name?: string;
  /** The event's id, for deduplication. */
  readonly id?: string;
  /** Default: now. */
  readonly occurred_at?: string;
}

/** A published lecture, too old for a notification. */
export const lecture = (slug: string, given: Partial<Lecture> = {}): Lecture => ({
  lecture_id: uuidv7(),
  slug,
  title: `The ${slug}`,
  lecture_type: 'video',
  state: 'published',
  free_preview: false,
  duration_seconds: 90,
  published_at: '2026-01-02T03:04:05.000Z',
  ...given,
});

export const section = (lectures: readonly Lecture[], given: Partial<Section> = {}): Section => ({
  section_id: uuidv7(),
  title: 'Loops',
  drip_days: 0,
  opens_at: null,
  lectures: [...lectures],
  ...given,
});

/** An attachment with a file of the site. */
export const attachment = (title: string, given: Partial<Attachment> = {}): Attachment => ({
  title,
  kind: 'pdf',
  url: null,
  file: { file_id: uuidv7(), filename: `${title}.pdf`, content_type: 'application/pdf', bytes: 1_234 },
  downloadable: true,
  ...given,
});

/** Publishes the events of the other contexts, auth and the school. */
export class World {
  private constructor(private readonly connection: NatsConnection) {}

  static async open(nats: TestNats): Promise<World> {
    const connection = await connectAs(nats.environment('admin'));
    return new World(connection);
  }

  async site(data: DataOf<typeof siteEvents>, sent?: Sent): Promise<void> {
    await this.send(siteEvents, data.site_id, data.site_id, data, sent);
  }

  async person(given: Partial<Person> & { person_id: string }, sent?: Sent): Promise<Person> {
    const data: Person = {
      email: `${given.person_id}@example.org`,
      name: 'Ada Example',
      picture: null,
      locale: 'en',
      state: 'active',
      ...given,
    };
    await this.send(personEvents, data.person_id, null, data, sent);
    return data;
  }

  async role(given: Partial<Role> & { person_id: string; site_id: string }, sent?: Sent): Promise<void> {
    const data: Role = {
      email: `${given.person_id}@example.org`,
      name: 'Ada Example',
      roles: ['student'],
      joined_at: '2026-01-02T03:04:05.000Z',
      ...given,
    };
    await this.send(roleEvents, `${data.site_id}:${data.person_id}`, data.site_id, data, sent);
  }

  async client(given: Partial<Client> & { site_id: string | null }, sent?: Sent): Promise<Client> {
    const client_key = given.client_key ?? uuidv7();
    const data: Client = {
      client_key,
      client_id: `client-${client_key}`,
      name: 'Reading room',
      audience: 'member',
      source: 'site',
      confidential: false,
      redirect_uris: [],
      scopes: ['account:read'],
      review: null,
      state: 'active',
      ...given,
    };
    await this.send(clientEvents, client_key, data.site_id, data, sent);
    return data;
  }

  async course(given: Partial<Course> & { site_id: string }, sent?: Sent): Promise<Course> {
    const course_id = given.course_id ?? uuidv7();
    const data: Course = {
      course_id,
      slug: `course-${course_id.slice(-6)}`,
      name: 'Celestial Navigation',
      subtitle: null,
      image_url: null,
      state: 'published',
      published_at: '2026-01-02T03:04:05.000Z',
      ...given,
    };
    await this.send(courseEvents, course_id, data.site_id, data, sent);
    return data;
  }

  /** A sent announcement to all members of the site unless given. */
  async announcement(given: Partial<Announcement> & { site_id: string }, sent?: Sent): Promise<Announcement> {
    const announcement_id = given.announcement_id ?? uuidv7();
    const data: Announcement = {
      announcement_id,
      course_id: null,
      purpose: 'announcement',
      title: 'Closed on Monday',
      body: null,
      path: null,
      state: 'sent',
      sent_at: new Date().toISOString(),
      ...given,
    };
    await this.send(announcementEvents, announcement_id, data.site_id, data, sent);
    return data;
  }

  async enrollment(
    given: Partial<Enrollment> & { site_id: string; person_id: string | null; course_id: string },
    sent?: Sent,
  ): Promise<Enrollment> {
    const enrollment_id = given.enrollment_id ?? uuidv7();
    const data: Enrollment = {
      enrollment_id,
      student_id: uuidv7(),
      state: 'active',
      source: 'manual',
      started_at: '2026-03-04T05:06:07.000Z',
      expires_at: null,
      completion_rate: 0,
      completed_at: null,
      ...given,
    };
    await this.send(enrollmentEvents, enrollment_id, data.site_id, data, sent);
    return data;
  }

  async progress(
    given: Partial<Progress> & { site_id: string; person_id: string | null; course_id: string; watched_at: string },
    sent?: Sent,
  ): Promise<Progress> {
    const data: Progress = {
      student_id: given.person_id ?? uuidv7(),
      lecture_id: uuidv7(),
      lecture_title: 'Bowline',
      position_seconds: 30,
      completed_at: null,
      ...given,
    };
    await this.send(progressEvents, `${data.student_id}:${data.lecture_id}`, data.site_id, data, sent);
    return data;
  }

  async curriculum(
    {
      sections,
      ...given
    }: Omit<Partial<Curriculum>, 'sections'> & {
      site_id: string;
      course_id: string;
      sections: readonly Section[];
    },
    sent: Sent = {},
  ): Promise<void> {
    const data: Curriculum = { part_id: null, ...given, sections: [...sections] };
    await this.send(curriculumEvents, data.course_id, data.site_id, data, { name: 'reordered', ...sent });
  }

  async attachments(data: Attachments, sent?: Sent): Promise<void> {
    await this.send(lectureAttachmentEvents, data.lecture_id, data.site_id, data, sent);
  }

  async text(data: DataOf<typeof textEvents>, sent?: Sent): Promise<void> {
    await this.send(textEvents, data.owner_id, data.site_id, data, sent);
  }

  /** Publishes an event of any other entity. */
  async entity<E extends EntityEvents>(
    events: E,
    id: string,
    site_id: string,
    data: DataOf<E>,
    sent?: Sent,
  ): Promise<void> {
    await this.send(events, id, site_id, data, sent);
  }

  async close(): Promise<void> {
    await this.connection.close();
  }

  /** The epoch of the published events. */
  epoch = 1;

  async send<E extends EntityEvents>(
    { context, entity, version, names }: E,
    aggregate_id: string,
    site_id: string | null,
    data: DataOf<E>,
    {
      version: aggregate_version = 1,
      name = names[0] ?? '',
      id = uuidv7(),
      occurred_at = new Date().toISOString(),
    }: Sent = {},
  ): Promise<void> {
    const type = `${context}.${entity}.${name}.v${version}`;
    const place = { epoch: this.epoch, aggregate_version, site_id };
    const event: DomainEvent = { id, type, aggregate_id, ...place, actor: SYSTEM_ACTOR, occurred_at, data };
    // No message id, because the server would drop the repeats that these tests need.
    await jetstream(this.connection).publish(type, JSON.stringify(event));
  }
}
