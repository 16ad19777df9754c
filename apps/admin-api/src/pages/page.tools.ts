import { Outcome } from '@lyceum/errors';
import { SiteDirectory } from '@lyceum/resource-server';
import { Tool } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { READS, cutDescription, iso, itemsOf, newestFirst, operatorOf, slug, toolItems, toolPage } from '@lyceum/rest';
import { PAGE_STATES, pageView } from './page.api.schema.js';
import { publicPage } from './page.schema.js';
import { PageService } from './page.service.js';
import { viewPage } from './page.view.js';

/** Characters of a page: at three bytes each they leave room in the 60 KB of a result. */
const CONTENT_LENGTH = 15_000;

const getInput = z.object({ slug: slug.describe('The page by slug, such as "about" or "terms"') });

const listInput = z.object({ state: z.enum(PAGE_STATES).optional().describe('Only those in this state'), ...toolPage });
const listOutput = itemsOf(
  pageView.pick({
    id: true,
    slug: true,
    title: true,
    page_type: true,
    path_prefix: true,
    state: true,
    created_at: true,
    updated_at: true,
  }),
);

@Injectable()
export class PageTools {
  constructor(
    private readonly pages: PageService,
    private readonly sites: SiteDirectory,
  ) {}

  @Tool({
    name: 'get_page',
    title: 'Get a page',
    description:
      'Reads the text of one published page of this site. Use it for what the school says of itself, its rules or its ' +
      'prices, when you know the slug; people read it at its url.',
    audience: 'public',
    scopes: [],
    toolset: 'pages',
    input: getInput,
    output: publicPage,
    annotations: READS,
  })
  async getPage({ input, site_id }: ToolCall<z.infer<typeof getInput>>): Promise<z.infer<typeof publicPage>> {
    const site = this.sites.byId(site_id);
    if (site?.state !== 'active') throw new Outcome('unknown_host', 'There is no such site');
    const page = await this.pages.getLive(site, input.slug);
    return {
      slug: page.slug,
      title: page.title,
      url: `${site.base_url}${page.path_prefix}`,
      content_html: cutDescription(page.content_html, CONTENT_LENGTH),
      content_truncated: page.content_html.length > CONTENT_LENGTH,
      updated_at: iso(page.updated_at),
    };
  }

  @Tool({
    name: 'list_pages',
    title: 'List pages',
    description:
      'Lists the pages of this site for its operators, drafts included, newest first, with their state and path. Use it ' +
      'to see which pages there are; use get_page for the text of a published one.',
    audience: 'operator',
    scopes: ['pages:read'],
    input: listInput,
    output: listOutput,
    annotations: READS,
  })
  listPages(call: ToolCall<z.infer<typeof listInput>>): Promise<object> {
    return toolItems(this.pages.list(operatorOf(call), newestFirst(call.input)), viewPage);
  }
}
