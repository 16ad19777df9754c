import { ApiError } from '@lyceum/errors';
import { SiteDirectory } from '@lyceum/resource-server';
import { READS, cutDescription, instantOut, iso, slug } from '@lyceum/rest';
import { Tool } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { pathPrefix } from './page-path.policy.js';
import { PageService } from './page.service.js';

/** Characters of a page: at three bytes each they leave room in the 60 KB of a result. */
const CONTENT_LENGTH = 15_000;

const getInput = z.object({ slug: slug.describe('The page by slug, such as "about" or "terms"') });

/** A public page. */
const publicPage = z.object({
  slug: z.string(),
  title: z.string(),
  url: z.string().describe('Address of the page'),
  content_html: z.string().describe('Text of the page, without scripts and styles'),
  content_truncated: z.boolean().describe('content_html is the beginning of a longer text'),
  updated_at: instantOut,
});

@Injectable()
export class PublicPageTools {
  constructor(
    private readonly pages: PageService,
    private readonly sites: SiteDirectory,
  ) {}

  @Tool({
    name: 'browse_page',
    title: 'Browse a page',
    description:
      'Reads the text of one published page of this site. Use it for the school’s own presentation, its rules or its ' +
      'prices, when you know the slug; people read the page at its url.',
    audience: 'public',
    scopes: [],
    toolset: 'pages',
    input: getInput,
    output: publicPage,
    annotations: READS,
  })
  async browsePage({ input, site_id }: ToolCall<z.infer<typeof getInput>>): Promise<z.infer<typeof publicPage>> {
    const site = this.sites.byId(site_id);
    if (site?.state !== 'active') throw new ApiError('unknown_host', 'The site does not exist');
    const page = await this.pages.getLive(site, input.slug);
    return {
      slug: page.slug,
      title: page.title,
      url: `${site.base_url}${pathPrefix(page)}`,
      content_html: cutDescription(page.content_html, CONTENT_LENGTH),
      content_truncated: page.content_cut || page.content_html.length > CONTENT_LENGTH,
      updated_at: iso(page.updated_at),
    };
  }
}
