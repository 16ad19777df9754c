import { z } from 'zod';
import { instantOut, multiline, slug, text } from '@lyceum/rest';

/** What a declaration says of a page. */
export const pageDeclaration = z.strictObject({
  slug,
  title: text(200),
  state: z.enum(['published', 'draft']).default('draft'),
  /** Of its index.html: it becomes the first deployment. */
  content_html: multiline(200_000),
});
export type PageDeclaration = z.infer<typeof pageDeclaration>;

/** What everybody may read of a page. */
export const publicPage = z.object({
  slug: z.string(),
  title: z.string(),
  url: z.string().describe('Where people read it'),
  content_html: z.string().describe('Text of the page, without scripts and styles'),
  content_truncated: z.boolean().describe('The page goes on beyond what is here'),
  updated_at: instantOut,
});
