import type { Site } from '@lyceum/contracts';
import { Audience, CurrentSite, RequireScopes } from '@lyceum/resource-server';
import { Controller, Get, Query } from '@nestjs/common';
import { z } from 'zod';
import { Operation, REVALIDATED, fieldsParameter, objectResponse } from '@lyceum/rest';
import type { ApiResponse } from '@lyceum/rest';
import { schoolProfile } from './school.schema.js';
import { SchoolService } from './school.service.js';

const EXAMPLE = {
  name: 'Watercolor School',
  url: 'https://school.example',
  locale: 'en',
  timezone: 'Asia/Taipei',
  currency: 'TWD',
  contact_email: 'office@example.com',
  support_url: null,
  terms_url: null,
  privacy_url: null,
} as const;

const schoolView = z.object(schoolProfile.shape).meta({ id: 'School', examples: [EXAMPLE] });
const getQuery = z.strictObject({
  fields: fieldsParameter(Object.keys(schoolView.shape) as [keyof typeof schoolView.shape]),
});

@Audience('operator')
@Controller('api/v1/school')
export class SchoolController {
  constructor(private readonly school: SchoolService) {}

  @Get()
  @RequireScopes('school:read')
  @Operation({
    id: 'getSchool',
    summary: 'Get the settings of the school',
    description: 'The settings are public: pages, catalog and tools show them.',
    answers: { 200: { description: 'The settings; what was never set is null', schema: schoolView } },
  })
  async get(
    @CurrentSite() site: Site,
    @Query({ schema: getQuery }) query: z.infer<typeof getQuery>,
  ): Promise<ApiResponse> {
    return objectResponse(await this.school.profile(site), REVALIDATED, query.fields);
  }
}
