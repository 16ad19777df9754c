import type { Principal } from '@lyceum/contracts';
import { Audience, CurrentPrincipal, RequireScopes } from '@lyceum/resource-server';
import { Controller, Get, Param, Query } from '@nestjs/common';
import type { z } from 'zod';
import { EntityIdPipe, Operation, REVALIDATED, SiteUrls, listResponse, objectResponse, rowTag } from '@lyceum/rest';
import type { ApiResponse, Urls } from '@lyceum/rest';
import { pageGetQuery, pageList, pageListQuery, pageView } from './page.api.schema.js';
import type { PageListQuery } from './page.api.schema.js';
import { PageService } from './page.service.js';
import { viewPage } from './page.view.js';

@Audience('operator')
@Controller('api/v1/pages')
export class PageController {
  constructor(private readonly pages: PageService) {}

  @Get()
  @RequireScopes('pages:read')
  @Operation({
    id: 'listPages',
    summary: 'List pages',
    description: 'Pages of every state, without their content.',
    answers: { 200: { description: 'One page of pages', schema: pageList } },
  })
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query({ schema: pageListQuery }) query: PageListQuery,
    @SiteUrls() urls: Urls,
  ): Promise<ApiResponse> {
    const page = await this.pages.list(principal, query);
    return listResponse(page, query, viewPage, urls.nextPage).with(REVALIDATED);
  }

  @Get(':id')
  @RequireScopes('pages:read')
  @Operation({
    id: 'getPage',
    summary: 'Get a page',
    description: 'Returns the path, the state and the published deployment of the page.',
    answers: { 200: { description: 'The page', schema: pageView } },
  })
  async get(
    @CurrentPrincipal() principal: Principal,
    @Param('id', EntityIdPipe) id: string,
    @Query({ schema: pageGetQuery }) query: z.infer<typeof pageGetQuery>,
  ): Promise<ApiResponse> {
    const row = await this.pages.get(principal, id);
    return objectResponse(viewPage(row), { ...REVALIDATED, etag: rowTag(row.version) }, query.fields);
  }
}
