import type { Principal } from '@lyceum/contracts';
import { Audience, CurrentPrincipal, RequireScopes } from '@lyceum/resource-server';
import { Body, Controller, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import type { z } from 'zod';
import {
  EntityIdPipe,
  Operation,
  REVALIDATED,
  SiteUrls,
  WriteResponse,
  WriteRequest,
  IdempotentWrites,
  emptyBody,
  listResponse,
  objectResponse,
} from '@lyceum/rest';
import type { ApiResponse, Urls, Write } from '@lyceum/rest';
import {
  MAX_REVISIONS,
  appearanceGetQuery,
  appearancePatch,
  appearanceView,
  revisionList,
  revisionListQuery,
} from './appearance.schema.js';
import type { AppearancePatch, RevisionListQuery } from './appearance.schema.js';
import { AppearanceService } from './appearance.service.js';
import { appearanceHeaders, viewAppearance, viewRevision } from './appearance.view.js';

const CHANGED = { 200: { description: 'The appearance as it is now', schema: appearanceView } };

@Audience('operator')
@Controller('api/v1/appearance')
export class AppearanceController {
  constructor(
    private readonly appearances: AppearanceService,
    private readonly writes: IdempotentWrites,
  ) {}

  @Get()
  @RequireScopes('appearance:read')
  @Operation({
    id: 'getAppearance',
    summary: 'Get the appearance of the site',
    description: 'Returns the settings that sign-in, consent, account and admin pages use now.',
    answers: { 200: { description: 'The appearance; null is as the platform has it', schema: appearanceView } },
  })
  async get(
    @CurrentPrincipal() principal: Principal,
    @Query({ schema: appearanceGetQuery }) query: z.infer<typeof appearanceGetQuery>,
  ): Promise<ApiResponse> {
    const appearance = await this.appearances.get(principal);
    return objectResponse(viewAppearance(appearance), appearanceHeaders(appearance), query.fields);
  }

  @Patch()
  @RequireScopes('appearance:write')
  @Operation({
    id: 'updateAppearance',
    summary: 'Change the appearance of the site',
    description:
      'JSON Merge Patch (RFC 7396): what is absent stays, null clears, lists are replaced. Sign-in, consent, account and ' +
      'admin pages follow within seconds. A site that sets a colour has its colours in light and in dark surroundings. ' +
      'Text that cannot be read is refused: `low_contrast`, with the ratio that it reaches.',
    answers: CHANGED,
  })
  patch(
    @CurrentPrincipal() principal: Principal,
    @Body({ schema: appearancePatch }) patch: AppearancePatch,
    @WriteRequest() write: Write,
  ): Promise<ApiResponse> {
    return this.writes.run(principal, write, async (tx) => {
      const { row, changed } = await this.appearances.patch(principal, { patch, ifMatch: write.ifMatch }, tx);
      return WriteResponse.of(viewAppearance(row), appearanceHeaders(row), { sent: patch, changed });
    });
  }

  @Get('revisions')
  @RequireScopes('appearance:read')
  @Operation({
    id: 'listAppearanceRevisions',
    summary: 'List what the site looked like',
    description: `Every change makes a revision: the whole of what held from then on. The last ${MAX_REVISIONS} are kept.`,
    answers: { 200: { description: 'One page of revisions', schema: revisionList } },
  })
  async revisions(
    @CurrentPrincipal() principal: Principal,
    @Query({ schema: revisionListQuery }) query: RevisionListQuery,
    @SiteUrls() urls: Urls,
  ): Promise<ApiResponse> {
    const page = await this.appearances.revisions(principal, query);
    return listResponse(page, query, viewRevision, urls.nextPage).with(REVALIDATED);
  }

  @Post('revisions/:id/restore')
  @HttpCode(200)
  @RequireScopes('appearance:write')
  @Operation({
    id: 'restoreAppearanceRevision',
    summary: 'Bring a revision back',
    description: 'All of it holds again, under a new revision. `If-Match` is about the appearance as it is now.',
    answers: CHANGED,
  })
  restore(
    @CurrentPrincipal() principal: Principal,
    @Param('id', EntityIdPipe) id: string,
    @Body({ schema: emptyBody }) _body: undefined,
    @WriteRequest() write: Write,
  ): Promise<ApiResponse> {
    return this.writes.run(principal, write, async (tx) => {
      const { row, changed } = await this.appearances.restore(principal, { id, ifMatch: write.ifMatch }, tx);
      return WriteResponse.of(viewAppearance(row), appearanceHeaders(row), { sent: {}, changed });
    });
  }
}
