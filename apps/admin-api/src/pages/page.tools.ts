import { Tool } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { cutDescription } from '#src/descriptions/description.policy.js';
import { READS } from '#src/tool-calls/hints.js';
import { iso, slug } from '#src/validation/fields.js';
import { publicPage } from './page.schema.js';
import { PageService } from './page.service.js';

/** Characters of a page: at three bytes each they leave room in the 60 KB of a result. */
const CONTENT_LENGTH = 15_000;

const getInput = z.object({ slug: slug.describe('The page by slug, such as "about" or "terms"') });

@Injectable()
export class PageTools {
  constructor(private readonly pages: PageService) {}

  @Tool({
    name: 'get_page',
    title: 'Get a page',
    description:
      'Reads the text of one published page of this site. Use it for what the school says of itself, its rules or its ' +
      'prices, when you know the slug.',
    audience: 'public',
    scopes: [],
    toolset: 'pages',
    input: getInput,
    output: publicPage,
    annotations: READS,
  })
  async getPage({ input, site_id }: ToolCall<z.infer<typeof getInput>>): Promise<z.infer<typeof publicPage>> {
    const page = await this.pages.getLive({ site_id }, input.slug);
    return {
      slug: page.slug,
      title: page.title,
      content_html: cutDescription(page.content_html, CONTENT_LENGTH),
      content_truncated: page.content_html.length > CONTENT_LENGTH,
      updated_at: iso(page.updated_at),
    };
  }
}
