import { collection } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import { Category } from './category.entity.js';
import { category } from './category.schema.js';
import { CategoryService } from './category.service.js';

export const categoryCollection = collection({
  name: 'categories',
  scope: 'courses',
  service: CategoryService,
  row: Category,
  resource: category,
  etag: ({ version }) => rowTag(version),
  toolItem: ['id', 'slug', 'name', 'position'],
  operations: {
    list: {
      id: 'listCategories',
      summary: 'List categories',
      description:
        'Returns the categories of courses and posts by their position. `category_id` of the courses has their courses, ' +
        'and that of the posts their posts.',
      tool: {
        description:
          'Lists the categories of courses and posts of this site, by their position. Use it for the ids that ' +
          'category_ids of a course and category_id of a post take.',
      },
      run: (categories, { principal, query }) => categories.list(principal, query),
    },
    get: {
      id: 'getCategory',
      summary: 'Get a category',
      description: 'Returns a category without its courses.',
      run: (categories, { principal, id }) => categories.get(principal, id),
    },
    create: {
      id: 'createCategory',
      summary: 'Create a category',
      description: 'Courses name it in `category_ids`, and posts in `category_id`. Needs the role owner or admin.',
      problems: ['already_exists', 'forbidden'],
      tool: {
        description:
          'Creates a category of courses and posts, for owners and admins. Use it before update_course puts courses into it.',
      },
      run: (categories, { principal, body, tx }) => categories.create(principal, body, tx),
    },
    bulk: {
      id: 'createCategories',
      summary: 'Create categories',
      description:
        'Creates up to 200 categories: all of them or none with `atomic`, else each by itself. Needs the role owner or ' +
        'admin.',
      problems: ['forbidden'],
      body: category.create,
      run: (categories, { principal, body, tx }) => categories.createAll(principal, body, tx),
    },
    upsert: {
      id: 'putCategory',
      summary: 'Create or update a category',
      description: 'Creates the category of the `external_id`, or changes the fields that the body names.',
      problems: ['already_exists', 'forbidden'],
      run: (categories, request) => categories.upsert(request),
    },
    update: {
      id: 'updateCategory',
      summary: 'Update a category',
      description: 'JSON Merge Patch (RFC 7396): absent fields stay, null clears. Needs the role owner or admin.',
      problems: ['already_exists', 'forbidden'],
      tool: {
        description:
          'Changes the given members of a category: absent ones stay, null clears. Use it to rename or move a category, ' +
          'for owners and admins.',
      },
      run: (categories, { principal, body, tx, ...key }) => categories.patch(principal, key, body, tx),
    },
    delete: {
      id: 'deleteCategory',
      summary: 'Delete a category',
      description: 'Only while no course and no post has it. Needs the role owner or admin.',
      problems: ['resource_in_use', 'forbidden'],
      tool: {
        description:
          'Deletes a category that no course and no post has; any other is refused with resource_in_use. Use it for a ' +
          'category that is empty or a mistake.',
      },
      run: (categories, { principal, tx, ...key }) => categories.remove(principal, key, tx),
    },
  },
});
