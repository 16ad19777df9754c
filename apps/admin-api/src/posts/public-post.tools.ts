import { READS, cutDescription, instantOut, iso, searchText, slug, toolItems } from '@lyceum/rest';
import { Tool, itemsOf, toolPage } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { bodyForVisitors } from './post.policy.js';
import { post } from './post.schema.js';
import { PostService } from './post.service.js';

type Published = Awaited<ReturnType<PostService['getPublished']>>;

/** Characters of a text: at three bytes each they leave room in the 60 KB of a result. */
const BODY_LENGTH = 15_000;

const listInput = z.object({
  slug: slug.optional().describe('Only the post of this slug, with its text'),
  q: searchText.optional().describe('Words that all occur in title, subtitle or slug'),
  ...toolPage,
});

const { slug: shownSlug, title, subtitle, excerpt, access_type } = post.object.shape;
const listOutput = itemsOf(
  z.object({
    slug: shownSlug,
    title,
    subtitle,
    excerpt,
    access_type,
    published_at: instantOut.nullable(),
    body_html: z.string().nullable().describe('With `slug` only. null: the post is for members, or for those who paid'),
    body_truncated: z.boolean().describe('body_html is the beginning of a longer text'),
  }),
);

@Injectable()
export class PublicPostTools {
  constructor(private readonly posts: PostService) {}

  @Tool({
    name: 'browse_posts',
    title: 'Browse posts',
    description:
      'Lists the published posts of this site, the newest first, or reads one by its slug. Use it for news; the text of ' +
      'a post for members is not shown.',
    audience: 'public',
    scopes: [],
    toolset: 'posts',
    input: listInput,
    output: listOutput,
    annotations: READS,
  })
  browsePosts({ input, site_id }: ToolCall<z.infer<typeof listInput>>): Promise<object> {
    const { slug: named, q, first: limit, after: cursor } = input;
    if (named === undefined) {
      return toolItems(this.posts.listPublished({ site_id }, { q, limit, cursor }), (row) => shown(row, null));
    }
    const found = this.posts
      .getPublished({ site_id }, named)
      .then((row) => ({ rows: [row], next: null, total: undefined }));
    return toolItems(found, (row) => shown(row, bodyForVisitors(row)));
  }
}

function shown(row: Published, body: string | null): z.infer<typeof listOutput>['items'][number] {
  return {
    slug: row.slug,
    title: row.title,
    subtitle: row.subtitle,
    excerpt: row.excerpt,
    access_type: row.access_type,
    published_at: iso(row.published_at),
    body_html: body === null ? null : cutDescription(body, BODY_LENGTH),
    body_truncated: body !== null && body.length > BODY_LENGTH,
  };
}
