import { SiteStores } from '@lyceum/collections';
import type { Caller, Created, Key, SiteStore, UpsertRequest, Written } from '@lyceum/collections';
import { postEvents } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { Outbox } from '@lyceum/messaging';
import type { Republication } from '@lyceum/messaging';
import { changedColumns, isAmong, iso } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { forAdministrators, requireAdministrator } from '#src/access/administrator.policy.js';
import { CourseService } from '#src/courses/course.service.js';
import { PictureService, pictureFile } from '#src/pictures/picture.service.js';
import { requireReferences } from '#src/references/references.js';
import { Post } from './post.entity.js';
import { PUBLISHED_POSTS } from './post.listing.js';
import { moveOf, requireEditable, stateAt, stateWith } from './post.policy.js';
import type { PostMove } from './post.policy.js';
import { POST_IN_USE, PostRepository } from './post.repository.js';
import { post as resource } from './post.schema.js';
import type { PostCreate, PostListQuery, PostPatch } from './post.schema.js';

type PostReference = { readonly id: string } | { readonly external_id: string };

/** Owners and admins write posts. A scheduled post follows the clock. */
@Injectable()
export class PostService {
  readonly #posts: SiteStore<Post, typeof postEvents>;
  readonly #published: SiteStore<Post, never>;

  constructor(
    stores: SiteStores,
    private readonly repository: PostRepository,
    private readonly pictures: PictureService,
    private readonly outbox: Outbox,
    courses: CourseService,
  ) {
    this.#posts = stores.of({
      entity: Post,
      resource,
      computed: { cover_file_id: pictureFile('post_id', 'posts') },
      fence: forAdministrators('manage posts'),
      unique: { posts_slug: 'slug', posts_external_id: 'external_id' },
      events: postEvents,
      data: (row, name) => ({
        post_id: row.id,
        site_id: row.site_id,
        course_id: row.course_id,
        slug: row.slug,
        title: row.title,
        access_type: row.access_type,
        excerpt: row.excerpt,
        state: name === 'deleted' ? 'deleted' : row.state,
        published_at: iso(row.published_at),
      }),
    });
    this.#published = stores.of({ entity: Post, resource, fence: () => ({ condition: PUBLISHED_POSTS }) });
    courses.removing.add(async (tx, course) => {
      if (!(await this.repository.hasPosts(tx, course))) return;
      throw new ApiError('resource_in_use', 'Posts belong to the course', {
        hint: 'List them with course_id, and set another course_id first',
      });
    });
  }

  async list(caller: Caller, query: PostListQuery): Promise<Page<Post>> {
    const page = await this.#posts.list(caller, query);
    const { state } = query;
    if (state === undefined) return page;
    // The index has the state that the clock last wrote.
    const now = new Date();
    return { ...page, rows: page.rows.filter((row) => isAmong(stateAt(row, now), state)) };
  }

  get(caller: Caller, id: string): Promise<Post> {
    return this.#posts.get(caller, id);
  }

  /** Lists published posts by their date, the newest first, without their bodies. */
  listPublished(
    site: Pick<Caller, 'site_id'>,
    query: { readonly q: string | undefined; readonly limit: number; readonly cursor: string | undefined },
  ): Promise<Page<Post>> {
    return this.#published.list(site, { ...query, sort: '-published_at', include_total: false });
  }

  /** @throws `not_found` for a post that is not published */
  async getPublished(site: Pick<Caller, 'site_id'>, slug: string): Promise<Post> {
    return (await this.#published.find(site, { slug })) ?? this.#published.missing();
  }

  async create(caller: Caller, input: PostCreate, tx: EntityManager): Promise<Created<Post>> {
    requireAdministrator(caller, 'manage posts');
    await requireReferences(tx, caller, input);
    const made = await this.#posts.insert(tx, caller, this.#newRow(caller, input), 'created');
    await this.#show(tx, caller, made.row, input.cover_file_id ?? undefined);
    return made;
  }

  async upsert({ tx, principal, body, patch, ...key }: UpsertRequest<PostCreate, PostPatch>): Promise<Created<Post>> {
    requireAdministrator(principal, 'manage posts');
    await requireReferences(tx, principal, patch);
    let cover_file_id: string | null | undefined = body.cover_file_id ?? undefined;
    const written = await this.#posts.upsert(tx, principal, key, {
      create: () => this.#newRow(principal, body),
      decide: (post) => {
        const update = this.#updated(principal, post, patch);
        cover_file_id = update?.changes.cover_file_id;
        return update;
      },
    });
    await this.#show(tx, principal, written.row, cover_file_id);
    return written;
  }

  patch(caller: Caller, key: Key, patch: PostPatch, tx: EntityManager): Promise<Written<Post>> {
    return this.#posts.change(tx, caller, key, (row) => {
      const update = this.#updated(caller, row, patch);
      return update && { ...update, with: () => this.#refer(tx, caller, row, update.changes) };
    });
  }

  async #refer(tx: EntityManager, caller: Caller, post: Post, changes: Partial<Post>): Promise<void> {
    await requireReferences(tx, caller, changes);
    await this.#show(tx, caller, post, changes.cover_file_id);
  }

  move(caller: Caller, key: Key, name: PostMove, tx: EntityManager): Promise<Written<Post>> {
    return this.#posts.change(tx, caller, key, (post) => moveOf(post, name, new Date()));
  }

  /** A post that students commented on is kept. */
  remove(caller: Caller, key: Key, tx: EntityManager): Promise<Written<Post>> {
    const error = new ApiError('resource_in_use', 'Students commented on the post', { hint: 'Archive it instead' });
    return this.#posts.remove(tx, caller, key, { sql: POST_IN_USE, error });
  }

  /** Locks a post of any state, by its id or `external_id`. @throws `not_found` */
  async lockReferred(tx: EntityManager, site: Pick<Caller, 'site_id'>, reference: PostReference): Promise<Post> {
    return (await this.#posts.findLocked(tx, site, reference)) ?? this.#posts.missing();
  }

  /** Publishes at most `limit` scheduled posts whose date has come. Returns the number of posts it read. */
  async followClock(limit: number): Promise<number> {
    const due = await this.repository.due(new Date(), limit);
    for (const { site_id, id } of due) {
      await this.outbox.transaction(async (tx) => {
        const row = await this.#posts.findLocked(tx, { site_id }, { id });
        // Another replica may have been quicker, or an operator may have just changed or deleted the post.
        if (row === undefined || stateAt(row, new Date()) === row.state) return;
        await this.#posts.change(tx, { site_id }, row, () => ({ event: 'published', changes: { state: 'published' } }));
      });
    }
    return due.length;
  }

  republication(): Republication<typeof postEvents> {
    return this.#posts.republication();
  }

  #newRow(caller: Caller, input: PostCreate) {
    return { ...this.pictures.settled(caller, 'post_id', input), state: 'draft' as const };
  }

  #updated(caller: Caller, post: Post, patch: PostPatch) {
    requireEditable(post, patch);
    const changes = changedColumns(post, this.pictures.settled(caller, 'post_id', patch, post), resource);
    if (changes === undefined) return undefined;
    const now = new Date();
    const { published_at = post.published_at } = changes;
    const state = stateWith(published_at, stateAt(post, now), now);
    if (state === post.state) return { event: 'updated' as const, changes };
    return { event: 'published' as const, changes: { ...changes, state } };
  }

  /** Makes a locked post use another file as its cover. Undefined: the file stays. */
  async #show(tx: EntityManager, caller: Caller, row: Post, cover_file_id: string | null | undefined): Promise<void> {
    if (cover_file_id === undefined) return;
    await this.pictures.use(tx, caller, 'post_id', row.id, cover_file_id);
    row.cover_file_id = cover_file_id;
  }
}
