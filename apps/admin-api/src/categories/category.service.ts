import { SiteStores, View } from '@lyceum/collections';
import type { Caller, Created, Key, SiteStore, UpsertRequest, Written } from '@lyceum/collections';
import { categoryEvents } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import type { Republication } from '@lyceum/messaging';
import { changedColumns } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { requireAdministrator } from '#src/access/administrator.policy.js';
import { lockForDeletion } from '#src/references/lock-for-deletion.js';
import { Category } from './category.entity.js';
import { category as resource } from './category.schema.js';
import type { CategoryCreate, CategoryListQuery, CategoryPatch } from './category.schema.js';
import { CATEGORY_IN_USE } from './category.statements.js';

const VIEW = new View({ resource });

type UniqueMember = 'slug' | 'external_id';

/** A course belongs to its teachers, and the categories of a site to its owners and admins. */
@Injectable()
export class CategoryService {
  readonly #categories: SiteStore<Category, typeof categoryEvents>;

  constructor(stores: SiteStores) {
    this.#categories = stores.of({
      entity: Category,
      resource,
      unique: { categories_slug: 'slug', categories_external_id: 'external_id' },
      events: categoryEvents,
      data: ({ id: category_id, site_id, slug, name, position }, event) => ({
        category_id,
        site_id,
        slug,
        name,
        position,
        state: event === 'deleted' ? 'deleted' : 'active',
      }),
    });
  }

  list(caller: Caller, query: CategoryListQuery): Promise<Page<Category>> {
    return this.#categories.list(caller, query);
  }

  /** Returns the categories with these ids, as responses show them. */
  async getAll(caller: Caller, ids: readonly string[]): Promise<ReadonlyMap<string, object>> {
    const found = await this.#categories.findAll(caller, ids);
    return new Map([...found].map(([id, row]) => [id, VIEW.summary(row)]));
  }

  get(caller: Caller, id: string): Promise<Category> {
    return this.#categories.get(caller, id);
  }

  async create(caller: Caller, input: CategoryCreate, tx: EntityManager): Promise<Created<Category>> {
    requireAdministrator(caller, 'create categories');
    return this.#categories.insert(tx, caller, input, 'created');
  }

  /** Creates many categories as `create` does, with one statement. */
  async createAll(
    caller: Caller,
    items: readonly CategoryCreate[],
    tx: EntityManager,
  ): Promise<readonly (Created<Category> | ApiError)[]> {
    requireAdministrator(caller, 'create categories');
    return this.#categories.insertAll(tx, caller, items, 'created');
  }

  async upsert({
    tx,
    principal,
    body,
    patch,
    ...key
  }: UpsertRequest<CategoryCreate, CategoryPatch>): Promise<Created<Category>> {
    requireAdministrator(principal, 'create categories');
    return this.#categories.upsert(tx, principal, key, {
      create: () => body,
      decide: (category) => updated(category, patch),
    });
  }

  async patch(caller: Caller, key: Key, patch: CategoryPatch, tx: EntityManager): Promise<Written<Category>> {
    requireAdministrator(caller, 'change categories');
    return this.#categories.change(tx, caller, key, (category) => updated(category, patch));
  }

  /** Returns the categories with one of the values of a unique member. */
  findBy(caller: Caller, member: UniqueMember, values: readonly string[], tx?: EntityManager): Promise<Category[]> {
    return this.#categories.findBy(caller, member, values, tx);
  }

  changesOf(_caller: Caller, category: Category, patch: CategoryPatch): Partial<Category> | undefined {
    return changedColumns(category, patch, resource);
  }

  /** Changes different categories as `patch` does, with one statement. */
  async patchAll(
    caller: Caller,
    items: readonly { readonly id: string; readonly patch: CategoryPatch }[],
    tx: EntityManager,
  ): Promise<readonly (Written<Category> | ApiError)[]> {
    requireAdministrator(caller, 'change categories');
    return this.#categories.changeAll(tx, caller, items, {
      event: 'updated',
      changesOf: (category, index) => this.changesOf(caller, category, items[index]?.patch ?? {}),
    });
  }

  /** @throws `resource_in_use` while a course or a post has the category */
  async remove(caller: Caller, key: Key, tx: EntityManager): Promise<Written<Category>> {
    requireAdministrator(caller, 'delete categories');
    await lockForDeletion(tx, 'categories', { site_id: caller.site_id, id: key.id });
    const error = new ApiError('resource_in_use', 'Courses or posts have the category', {
      hint: 'List both with category_id, and take the category off each of them first',
    });
    return this.#categories.remove(tx, caller, key, { sql: CATEGORY_IN_USE, error });
  }

  republication(): Republication<typeof categoryEvents> {
    return this.#categories.republication();
  }
}

function updated(category: Category, patch: CategoryPatch) {
  const changes = changedColumns(category, patch, resource);
  return changes && { event: 'updated' as const, changes };
}
