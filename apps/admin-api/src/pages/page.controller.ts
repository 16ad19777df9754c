import type { Principal } from '@lyceum/contracts';
import { Audience, CurrentPrincipal, RequireScopes } from '@lyceum/resource-server';
import { Controller, Get, Param, Query } from '@nestjs/common';
import type { z } from 'zod';
import { REVALIDATED } from '#src/answers/answer.js';
import type { Answer } from '#src/answers/answer.js';
import { listAnswer, objectAnswer } from '#src/answers/answers.js';
import { rowTag } from '#src/answers/etag.policy.js';
import { SiteUrls } from '#src/answers/urls.decorator.js';
import type { Urls } from '#src/answers/urls.decorator.js';
import { Operation } from '#src/openapi/operation.decorator.js';
import { EntityIdPipe } from '#src/validation/entity-id.pipe.js';
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
  ): Promise<Answer> {
    const page = await this.pages.list(principal, query);
    return listAnswer(page, query, viewPage, urls.nextPage).with(REVALIDATED);
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
  ): Promise<Answer> {
    const row = await this.pages.get(principal, id);
    return objectAnswer(viewPage(row), { ...REVALIDATED, etag: rowTag(row.version) }, query.fields);
  }
}
