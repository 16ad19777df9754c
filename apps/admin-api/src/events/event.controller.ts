import type { Principal } from '@lyceum/contracts';
import { Audience, CurrentPrincipal, RequireScopes } from '@lyceum/resource-server';
import { Controller, Get, Param, Query } from '@nestjs/common';
import type { z } from 'zod';
import { EntityIdPipe, Operation, REVALIDATED, SiteUrls, listResponse, objectResponse, rowTag } from '@lyceum/rest';
import type { ApiResponse, Urls } from '@lyceum/rest';
import { eventGetQuery, eventList, eventListQuery, eventView } from './event.api.schema.js';
import type { EventListQuery } from './event.api.schema.js';
import { EventService } from './event.service.js';
import { viewEvent, viewEventSummary } from './event.view.js';

@Audience('operator')
@Controller('api/v1/events')
export class EventController {
  constructor(private readonly events: EventService) {}

  @Get()
  @RequireScopes('events:read')
  @Operation({
    id: 'listEvents',
    summary: 'List events',
    description: 'Events of every state, without their descriptions and join links.',
    answers: { 200: { description: 'One page of events', schema: eventList } },
  })
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query({ schema: eventListQuery }) query: EventListQuery,
    @SiteUrls() urls: Urls,
  ): Promise<ApiResponse> {
    const page = await this.events.list(principal, query);
    return listResponse(page, query, viewEventSummary, urls.nextPage).with(REVALIDATED);
  }

  @Get(':id')
  @RequireScopes('events:read')
  @Operation({
    id: 'getEvent',
    summary: 'Get an event',
    description: 'Returns the event with its description and the link for registrants.',
    answers: { 200: { description: 'The event', schema: eventView } },
  })
  async get(
    @CurrentPrincipal() principal: Principal,
    @Param('id', EntityIdPipe) id: string,
    @Query({ schema: eventGetQuery }) query: z.infer<typeof eventGetQuery>,
  ): Promise<ApiResponse> {
    const row = await this.events.get(principal, id);
    return objectResponse(
      viewEvent(row),
      { ...REVALIDATED, etag: rowTag(row.version, row.registrations_count) },
      query.fields,
    );
  }
}
