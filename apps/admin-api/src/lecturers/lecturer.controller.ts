import type { Principal } from '@lyceum/contracts';
import { Audience, CurrentPrincipal, RequireScopes } from '@lyceum/resource-server';
import { Controller, Get, Param, Query } from '@nestjs/common';
import type { z } from 'zod';
import { EntityIdPipe, Operation, SiteUrls, listResponse, objectResponse, rowTag } from '@lyceum/rest';
import type { ApiResponse, Urls } from '@lyceum/rest';
import { lecturerGetQuery, lecturerList, lecturerListQuery, lecturerView } from './lecturer.api.schema.js';
import type { LecturerListQuery } from './lecturer.api.schema.js';
import { LecturerService } from './lecturer.service.js';
import { viewLecturer, viewLecturerSummary } from './lecturer.view.js';

@Audience('operator')
@Controller('api/v1/lecturers')
export class LecturerController {
  constructor(private readonly lecturers: LecturerService) {}

  @Get()
  @RequireScopes('lecturers:read')
  @Operation({
    id: 'listLecturers',
    summary: 'List lecturers',
    description: 'Lecturers of the site, also hidden ones, without their biographies.',
    answers: { 200: { description: 'One page of lecturers', schema: lecturerList } },
  })
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query({ schema: lecturerListQuery }) query: LecturerListQuery,
    @SiteUrls() urls: Urls,
  ): Promise<ApiResponse> {
    const page = await this.lecturers.list(principal, query);
    return listResponse(page, query, viewLecturerSummary, urls.nextPage);
  }

  @Get(':id')
  @RequireScopes('lecturers:read')
  @Operation({
    id: 'getLecturer',
    summary: 'Get a lecturer',
    description: 'Returns the lecturer with the biography.',
    answers: { 200: { description: 'The lecturer', schema: lecturerView } },
  })
  async get(
    @CurrentPrincipal() principal: Principal,
    @Param('id', EntityIdPipe) id: string,
    @Query({ schema: lecturerGetQuery }) query: z.infer<typeof lecturerGetQuery>,
  ): Promise<ApiResponse> {
    const row = await this.lecturers.get(principal, id);
    return objectResponse(viewLecturer(row), { etag: rowTag(row.version) }, query.fields);
  }
}
