import { textEvents } from '@lyceum/contracts';
import { Outbox } from '@lyceum/messaging';
import type { NewEvent, Republication } from '@lyceum/messaging';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { piecesOf } from './text.policy.js';
import { TextRepository } from './text.repository.js';
import type { TextRow } from './text.repository.js';

interface Described {
  readonly id: string;
  readonly site_id: string;
  readonly version: number;
  readonly description_html: string | null;
}

interface WithContent {
  readonly id: string;
  readonly site_id: string;
  readonly course_id: string;
  readonly version: number;
  readonly content_html: string | null;
}

/** Publishes the descriptions of courses and the contents of lectures for members. */
@Injectable()
export class TextService {
  constructor(
    private readonly repository: TextRepository,
    private readonly outbox: Outbox,
  ) {}

  /** Publishes the descriptions of new courses. */
  describeNew(tx: EntityManager, courses: readonly Described[]): Promise<void> {
    return this.describeAll(
      tx,
      courses.map((course) => ({ course, before: null })),
    );
  }

  /** Publishes the descriptions of locked courses that differ from those before. */
  async describeAll(
    tx: EntityManager,
    list: readonly { readonly course: Described; readonly before: string | null }[],
  ): Promise<void> {
    const changed = list.filter(({ course, before }) => course.description_html !== before);
    if (changed.length > 0)
      await this.#publish(
        tx,
        'changed',
        changed.map(({ course }) => ofCourse(course)),
      );
  }

  /** Publishes the contents of locked lectures, unless they have none. */
  async fill(tx: EntityManager, lectures: readonly WithContent[]): Promise<void> {
    await this.#publish(tx, 'changed', lectures.filter(({ content_html }) => content_html !== null).map(ofLecture));
  }

  /** Publishes the content of a locked lecture, unless it is the one before. */
  async refill(tx: EntityManager, lecture: WithContent, before: string | null): Promise<void> {
    if (lecture.content_html !== before) await this.#publish(tx, 'changed', [ofLecture(lecture)]);
  }

  /** Publishes the contents of all lectures of a new course. */
  async fillAll(tx: EntityManager, course: { readonly site_id: string; readonly course_id: string }): Promise<void> {
    for await (const texts of this.repository.contentsOf(tx, course)) await this.#publish(tx, 'changed', texts);
  }

  /** Publishes the end of the text of a deleted course. */
  async endDescription(tx: EntityManager, course: Described): Promise<void> {
    if (course.description_html !== null) await this.#end(tx, [ofCourse(course)]);
  }

  /** Publishes the end of the text of a deleted lecture. */
  async endContent(tx: EntityManager, lecture: WithContent): Promise<void> {
    if (lecture.content_html !== null) await this.#end(tx, [ofLecture(lecture)]);
  }

  /** Publishes the same of all lectures of a locked course, which is about to be deleted. */
  async endContents(
    tx: EntityManager,
    course: { readonly site_id: string; readonly course_id: string },
  ): Promise<void> {
    await this.#end(tx, await this.repository.withContent(tx, course));
  }

  republication(): Republication<typeof textEvents> {
    return {
      events: textEvents,
      batch: async (tx, after, limit) => {
        const found = await this.repository.share(tx, after, limit);
        return found.flatMap((row) => eventsOf(row).map((event) => ({ key: [row.site_id, row.owner_id], event })));
      },
    };
  }

  #end(tx: EntityManager, rows: readonly TextRow[]): Promise<void> {
    const ended = rows.map((row) => ({ ...row, version: row.version + 1, html: null }));
    return this.#publish(tx, 'deleted', ended);
  }

  async #publish(tx: EntityManager, name: 'changed' | 'deleted', rows: readonly TextRow[]): Promise<void> {
    const events = rows.flatMap(eventsOf).map((event) => ({ ...event, changed: ['html'] }));
    await this.outbox.addAll(tx, textEvents, name, events);
  }
}

const ofCourse = ({ id, site_id, version, description_html: html }: Described): TextRow => ({
  owner_id: id,
  kind: 'course_description',
  course_id: id,
  site_id,
  version,
  html,
});

const ofLecture = ({ id, site_id, course_id, version, content_html: html }: WithContent): TextRow => ({
  owner_id: id,
  kind: 'lecture_content',
  course_id,
  site_id,
  version,
  html,
});

function eventsOf({ version, html: text, ...text_of }: TextRow): NewEvent<typeof textEvents>[] {
  return piecesOf(text ?? '').map((html, index, { length: count }) => ({
    aggregate_id: text_of.owner_id,
    aggregate_version: version,
    site_id: text_of.site_id,
    data: { ...text_of, piece: { index, count }, html },
  }));
}
