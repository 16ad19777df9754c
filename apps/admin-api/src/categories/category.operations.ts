import { BulkOf, Collection, Create, Delete, Get, List, Update, Upsert } from '@lyceum/collections';
import type {
  ChangeRequest,
  CreateRequest,
  Created,
  ListRequest,
  ObjectRequest,
  UpsertRequest,
  Written,
} from '@lyceum/collections';
import type { ApiError } from '@lyceum/errors';
import { rowTag } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { Category } from './category.entity.js';
import { category } from './category.schema.js';
import type { CategoryCreate, CategoryListQuery, CategoryPatch } from './category.schema.js';
import { CategoryService } from './category.service.js';

@Collection<Category>({
  name: 'categories',
  scope: 'courses',
  resource: category,
  etag: ({ version }) => rowTag(version),
  toolItem: ['id', 'slug', 'name', 'position'],
})
@Injectable()
export class CategoryOperations {
  constructor(private readonly categories: CategoryService) {}

  @List('listCategories', {
    summary: 'List categories',
    description:
      'Returns the categories of courses and posts by their position. `category_id` of the courses has their courses, ' +
      'and that of the posts their posts.',
    tool: {
      description:
        'Lists the categories of courses and posts of this site, by their position. Use it for the ids that ' +
        'category_ids of a course and category_id of a post take.',
    },
  })
  list({ principal, query }: ListRequest<CategoryListQuery>): Promise<Page<Category>> {
    return this.categories.list(principal, query);
  }

  @Get('getCategory', { summary: 'Get a category', description: 'Returns a category without its courses.' })
  get({ principal, id }: ObjectRequest): Promise<Category> {
    return this.categories.get(principal, id);
  }

  @Create('createCategory', {
    summary: 'Create a category',
    description: 'Courses name it in `category_ids`, and posts in `category_id`. Needs the role owner or admin.',
    problems: ['already_exists', 'forbidden'],
    tool: {
      description:
        'Creates a category of courses and posts, for owners and admins. Use it before update_course puts courses into it.',
    },
  })
  create({ principal, body, tx }: CreateRequest<CategoryCreate>): Promise<Created<Category>> {
    return this.categories.create(principal, body, tx);
  }

  @BulkOf('createCategories', {
    summary: 'Create categories',
    description:
      'Creates up to 200 categories: all of them or none with `atomic`, else each by itself. Needs the role owner or ' +
      'admin.',
    problems: ['forbidden'],
    body: category.create,
  })
  createAll({
    principal,
    body,
    tx,
  }: CreateRequest<readonly CategoryCreate[]>): Promise<readonly (Created<Category> | ApiError)[]> {
    return this.categories.createAll(principal, body, tx);
  }

  @Upsert('putCategory', {
    summary: 'Create or update a category',
    description: 'Creates the category of the `external_id`, or changes the fields that the body names.',
    problems: ['already_exists', 'forbidden'],
  })
  put(request: UpsertRequest<CategoryCreate, CategoryPatch>): Promise<Created<Category>> {
    return this.categories.upsert(request);
  }

  @Update('updateCategory', {
    summary: 'Update a category',
    description: 'JSON Merge Patch (RFC 7396): absent fields stay, null clears. Needs the role owner or admin.',
    problems: ['already_exists', 'forbidden'],
    tool: {
      description:
        'Changes the given members of a category: absent ones stay, null clears. Use it to rename or move a category, ' +
        'for owners and admins.',
    },
  })
  update({ principal, body, tx, ...key }: ChangeRequest<CategoryPatch>): Promise<Written<Category>> {
    return this.categories.patch(principal, key, body, tx);
  }

  @Delete('deleteCategory', {
    summary: 'Delete a category',
    description: 'Only while no course and no post has it. Needs the role owner or admin.',
    problems: ['resource_in_use', 'forbidden'],
    tool: {
      description:
        'Deletes a category that no course and no post has; any other is refused with resource_in_use. Use it for a ' +
        'category that is empty or a mistake.',
    },
  })
  remove({ principal, tx, ...key }: ChangeRequest): Promise<Written<Category>> {
    return this.categories.remove(principal, key, tx);
  }
}
