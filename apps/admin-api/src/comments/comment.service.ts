import { SiteStores } from '@lyceum/collections';
import type { Caller, SiteStore } from '@lyceum/collections';
import { ERASED_NAME, commentEvents } from '@lyceum/contracts';
import type { OfSite, moderateComment, postComment } from '@lyceum/contracts';
import { Outbox } from '@lyceum/messaging';
import type { Republication } from '@lyceum/messaging';
import { copyOf, iso, listBelow } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { z } from 'zod';
import { ofOwnCourses } from '#src/access/teacher.fence.js';
import { requireOccurred } from '#src/occurrences/occurrence.policy.js';
import type { Student } from '#src/students/student.entity.js';
import { requireActiveStudent } from '#src/students/student.policy.js';
import { StudentService } from '#src/students/student.service.js';
import { Comment } from './comment.entity.js';
import { excerptOf, moveOf, requireParent } from './comment.policy.js';
import { COMMENT_PARTS, CommentRepository, EVENT_PARTS } from './comment.repository.js';
import { Commentables } from './commentables.service.js';
import { comment as resource } from './comment.schema.js';
import type { CommentListQuery } from './comment.schema.js';

type Content<D extends { readonly input: z.ZodType }> = Omit<z.output<D['input']>, 'site' | 'idempotency_key'>;
type StudentKey = Pick<Student, 'site_id' | 'id'>;

/** Comments of students, which the storefront posts and moderates. Locks go in the order student, object, comment. */
@Injectable()
export class CommentService {
  readonly #comments: SiteStore<Comment, typeof commentEvents>;

  constructor(
    stores: SiteStores,
    private readonly repository: CommentRepository,
    private readonly students: StudentService,
    private readonly commentables: Commentables,
    private readonly outbox: Outbox,
  ) {
    this.#comments = stores.of({
      entity: Comment,
      // Events have them; lists do not show them.
      resource: copyOf(resource, { details: Object.keys(EVENT_PARTS) }),
      fence: ofOwnCourses('course_id'),
      computed: COMMENT_PARTS,
      events: commentEvents,
      data: (row, event) => ({
        comment_id: row.id,
        site_id: row.site_id,
        commentable: { type: row.commentable_type, id: row.commentable_id },
        course_id: row.course_id,
        student_id: row.student_id,
        author_person_id: row.author_person_id,
        author_name: row.author_name,
        parent: row.parent_id === null ? null : { comment_id: row.parent_id, author_person_id: row.parent_person_id },
        path: row.path,
        excerpt: excerptOf(row.body),
        state: row.state,
        posted_at: iso(row.posted_at),
        ...(event === 'deleted' && { state: 'deleted', author_person_id: null, author_name: ERASED_NAME, excerpt: '' }),
      }),
    });
    students.linked.add((tx, student) => this.#link(tx, student));
    students.erased.add((tx, student) => this.#erase(tx, student));
  }

  list(caller: Caller, query: CommentListQuery): Promise<Page<Comment>> {
    return this.#comments.list(caller, query);
  }

  get(caller: Caller, id: string): Promise<Comment> {
    return this.#comments.get(caller, id);
  }

  replies(caller: Caller, query: CommentListQuery, of: { readonly parent_id: string }): Promise<Page<Comment>> {
    return listBelow(this.#comments.list(caller, query, of), () => this.#comments.get(caller, of.parent_id));
  }

  /** Adds a comment of an active student. The storefront decides who may comment on what. */
  async post(site: OfSite, input: Content<typeof postComment>, tx: EntityManager): Promise<Comment> {
    const posted_at = new Date(input.occurred_at);
    requireOccurred(posted_at, new Date(), '/occurred_at');
    const { id: student_id } = await this.students.referred(site, input.student, tx);
    requireActiveStudent((await this.students.lock(site, student_id, tx)).state);
    const place = await this.commentables.lock(site, input.commentable, tx);
    const { body, state, parent: named } = input;
    const comment = { ...place, student_id, body, state, posted_at };
    if (named === null) return (await this.#comments.insert(tx, site, { ...comment, parent_id: null }, 'created')).row;
    const parent = await this.#comments.findLocked(tx, site, named);
    requireParent(parent, place);
    const { row } = await this.#comments.insert(tx, site, { ...comment, parent_id: parent.id }, 'created');
    await this.repository.count(tx, parent, 1);
    return row;
  }

  /** Does what a moderator decided, and returns the state. A repetition changes nothing. */
  async moderate(
    site: OfSite,
    { comment: { id }, action }: Content<typeof moderateComment>,
    tx: EntityManager,
  ): Promise<z.input<typeof moderateComment.output>['state']> {
    if (action === 'delete') {
      await this.#remove(site, id, tx);
      return 'deleted';
    }
    const row = await this.#comments.lock(tx, site, id);
    const move = moveOf(row.state, action);
    if (move === undefined) return row.state;
    await this.#comments.change(tx, site, row, () => ({ event: move.event, changes: { state: move.to } }));
    return move.to;
  }

  republication(): Republication<typeof commentEvents> {
    return this.#comments.republication();
  }

  /** Deletes a comment with its replies. */
  async #remove(site: OfSite, id: string, tx: EntityManager): Promise<void> {
    const { parent_id } = await this.#comments.find(site, { id }, tx).then((row) => row ?? this.#comments.missing());
    if (parent_id !== null) await this.#comments.findLocked(tx, site, { id: parent_id });
    const row = await this.#comments.lock(tx, site, id);
    const replies = await this.repository.removeReplies(tx, row);
    for (const { version, ...reply } of replies) {
      await this.#comments.publish(tx, { ...reply, version: version + 1 }, 'deleted');
    }
    await this.#comments.remove(tx, site, { id });
    // Later the name of the author could not be found in their events.
    for (const gone of [row, ...replies]) {
      await this.outbox.erase(tx, commentEvents, { aggregate_id: gone.id, version: gone.version + 1 });
    }
    if (parent_id !== null) await this.repository.count(tx, { site_id: row.site_id, id: parent_id }, -1);
  }

  /** Publishes all comments of a student again, with the current person. */
  async #link(tx: EntityManager, student: StudentKey): Promise<void> {
    const touched = await this.repository.touchAll(tx, student, false);
    for (const row of touched) await this.#comments.publish(tx, row, 'linked');
  }

  /** Publishes all comments of a student without their name, and deletes the events that have it. */
  async #erase(tx: EntityManager, student: StudentKey): Promise<void> {
    for (const row of await this.repository.touchAll(tx, student, true)) {
      await this.#comments.publish(tx, row, 'erased');
      await this.outbox.erase(tx, commentEvents, { aggregate_id: row.id, version: row.version });
    }
  }
}
