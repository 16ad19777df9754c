import { collection } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import { Post } from './post.entity.js';
import { POST_STATES, stateAt } from './post.policy.js';
import type { PostState } from './post.policy.js';
import { post } from './post.schema.js';
import { PostService } from './post.service.js';

const stateOf = (row: Post): PostState => stateAt(row, new Date());

export const postCollection = collection({
  name: 'posts',
  description: 'Posts of the school, and announcements to its members. Needs the role owner or admin.',
  scope: 'posts',
  service: PostService,
  row: Post,
  resource: post,
  view: { state: stateOf },
  // Time changes the state before the clock writes it.
  etag: (row) => rowTag(row.version, POST_STATES.indexOf(stateOf(row))),
  toolItem: ['id', 'slug', 'title', 'state', 'access_type', 'published_at', 'updated_at'],
  operations: {
    list: {
      id: 'listPosts',
      summary: 'List posts',
      description: 'Returns posts of every state with their excerpts, without their bodies.',
      problems: ['forbidden'],
      tool: {
        description: 'Lists the posts of this site, drafts included, newest first. Use it to find a post or its id.',
      },
      run: (posts, { principal, query }) => posts.list(principal, query),
    },
    get: {
      id: 'getPost',
      summary: 'Get a post',
      description: 'Returns the post with its body.',
      problems: ['forbidden'],
      tool: {
        description: 'Reads one post in any state with its body. Use it when you know the id from list_posts.',
      },
      run: (posts, { principal, id }) => posts.get(principal, id),
    },
    create: {
      id: 'createPost',
      summary: 'Create a post',
      description: 'The new post is a draft: only operators see it until it is published.',
      problems: ['already_exists', 'forbidden'],
      tool: {
        description: 'Creates a post as a draft. Use it to write a post; publish_post shows or schedules it.',
      },
      run: (posts, { principal, body, tx }) => posts.create(principal, body, tx),
    },
    upsert: {
      id: 'putPost',
      summary: 'Create or update a post',
      description: 'Creates the post of the `external_id` as a draft, or changes the fields that the body names.',
      problems: ['already_exists', 'forbidden', 'invalid_state'],
      run: (posts, request) => posts.upsert(request),
    },
    update: {
      id: 'updatePost',
      summary: 'Update a post',
      description:
        'JSON Merge Patch (RFC 7396): absent fields stay, null clears. A scheduled post whose `published_at` is not in ' +
        'the future is published at once. A published post keeps a date that is not in the future. Of an archived ' +
        'post, `category_id`, `course_id` and `author_id` alone can change.',
      problems: ['already_exists', 'forbidden', 'invalid_state'],
      tool: {
        description:
          'Changes the given members of a post: absent ones stay, null clears. Use it to edit a post, or to move the date ' +
          'of a scheduled one.',
      },
      run: (posts, { principal, body, tx, ...key }) => posts.patch(principal, key, body, tx),
    },
    actions: {
      publish: {
        id: 'publishPost',
        summary: 'Publish a post',
        description:
          'From draft. With `published_at` in the future, the post is scheduled, and published within half a minute of that ' +
          'time. Members are notified of a post once, unless its date is more than three days ago.',
        problems: ['forbidden', 'invalid_state'],
        tool: {
          description:
            'Publishes a draft and notifies members, or schedules it when published_at is in the future. Use it when a post ' +
            'is ready.',
        },
        run: (posts, { principal, tx, ...key }) => posts.move(principal, key, 'publish', tx),
      },
      unpublish: {
        id: 'unpublishPost',
        summary: 'Unpublish a post',
        description: 'From scheduled or published, back to draft. The post keeps its date.',
        problems: ['forbidden', 'invalid_state'],
        tool: {
          description:
            'Makes a scheduled or published post a draft again. Use it to take a post back; archive_post ends one for good.',
        },
        run: (posts, { principal, tx, ...key }) => posts.move(principal, key, 'unpublish', tx),
      },
      archive: {
        id: 'archivePost',
        summary: 'Archive a post',
        description: 'From published, for good: the post stays readable for operators, and cannot change.',
        ends: true,
        problems: ['forbidden', 'invalid_state'],
        tool: {
          description:
            'Takes a published post off the site for good, and keeps it for operators. Use it for an outdated post; ' +
            'unpublish_post makes it a draft again.',
        },
        run: (posts, { principal, tx, ...key }) => posts.move(principal, key, 'archive', tx),
      },
    },
    delete: {
      id: 'deletePost',
      summary: 'Delete a post',
      description: 'Deletes a post of any state, for good. One that students commented on is refused: archive it.',
      problems: ['forbidden', 'resource_in_use'],
      tool: {
        description:
          'Deletes a post without comments, in any state, for good. Use it for a mistake; archive_post keeps a published ' +
          'post.',
      },
      run: (posts, { principal, tx, ...key }) => posts.remove(principal, key, tx),
    },
  },
});
